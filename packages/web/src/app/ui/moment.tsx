// A time, as the reader wants to see times; the others are in its title.
import { now } from '../state/clock.js';
import { inLocal, inUtc, moment } from '../state/moments.js';
import { settings } from '../state/settings.js';

export function Moment(props: { unixMs: number; now?: number }) {
  return (
    <time
      dateTime={Math.abs(props.unixMs) <= 8.64e15 ? new Date(props.unixMs).toISOString() : ''}
      title={`${inUtc(props.unixMs)} · ${inLocal(props.unixMs)}`}
    >
      {moment(props.unixMs, settings().time, props.now ?? now())}
    </time>
  );
}
