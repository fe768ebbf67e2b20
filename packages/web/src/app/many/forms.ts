// The ways of writing IDs that are there already: the same IDs in another dress, never new ones.
import { applyOptions } from 'kazahana/uuid';

export const WRAPS = ['plain', 'braces', 'urn'] as const;
export const CONTAINERS = ['lines', 'json', 'sql', 'csv'] as const;

export interface Form {
  readonly uppercase: boolean;
  readonly withHyphens: boolean;
  readonly wrap: (typeof WRAPS)[number];
  readonly container: (typeof CONTAINERS)[number];
}

export const PLAIN: Form = { uppercase: false, withHyphens: true, wrap: 'plain', container: 'lines' };

export const isUuidText = (id: string): boolean => id.length === 36;

/** One ID, without its container. Numbers have one form only. */
export function writeId(id: string, { uppercase, withHyphens, wrap }: Form): string {
  if (!isUuidText(id)) return id;
  const text = applyOptions(id, { uppercase, withHyphens });
  if (wrap === 'braces') return `{${text}}`;
  // RFC 9562: a URN has the hyphens.
  return wrap === 'urn' ? `urn:uuid:${applyOptions(id, { uppercase, withHyphens: true })}` : text;
}

/** All IDs as one text. JSON has 64-bit numbers as strings, which no reader rounds; SQL can hold them as numbers. */
export function writeIds(ids: readonly string[], form: Form): string {
  const texts = ids.map((id) => writeId(id, form));
  switch (form.container) {
    case 'lines':
      return texts.join('\n');
    case 'json':
      return JSON.stringify(texts, null, 2);
    case 'sql':
      return `VALUES\n${texts.map((text, i) => (isUuidText(ids[i] ?? '') ? `  ('${text}')` : `  (${text})`)).join(',\n')};`;
    case 'csv':
      return ['id', ...texts].join('\r\n');
  }
}

export const FILE_ENDINGS: Readonly<Record<Form['container'], string>> = {
  lines: 'txt',
  json: 'json',
  sql: 'sql',
  csv: 'csv',
};
