// Server-sent events out of a stream of text. EventSource would do this, but cannot send a token.

export interface ServerEvent {
  readonly event: string;
  readonly data: string;
}

/** Takes pieces of text as they come and gives the events that are complete. Lines may end in any of three ways. */
export function createEventReader(): (piece: string) => ServerEvent[] {
  let rest = '';
  let event = '';
  let data: string[] = [];
  return (piece) => {
    const events: ServerEvent[] = [];
    rest += piece;
    // A carriage return at the very end may be the first half of a line's end.
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line === '') {
        if (data.length > 0) events.push({ event: event || 'message', data: data.join('\n') });
        event = '';
        data = [];
        continue;
      }
      const [, name = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
      if (name === 'event') event = value;
      else if (name === 'data') data.push(value);
    }
    return events;
  };
}
