// Which bits each character of an ID stands for, where the text is written digit by digit: hexadecimal, or one of the
// alphabets of 32. Numbers and base64 have no such places: a digit of theirs belongs to several fields.
type Place = readonly [from: number, to: number] | undefined;

const HEX = /^[0-9a-f]+$/i;
const BASE32 = /^[0-9a-hjkmnp-tv-z]+$/i;

/** The bits of every character; undefined for hyphens and braces, and for every one of a text that is not written so. */
export function bitsOfCharacters(text: string, bits: number): readonly Place[] {
  const prefix = /^(?:urn:uuid:|0x|.*_(?=[0-9a-z]{26}$))/i.exec(text)?.[0].length ?? 0;
  const isDigit = (character: string, index: number) => index >= prefix && !/[-{}]/.test(character);
  const digits = [...text].filter(isDigit).join('');
  const isHex = HEX.test(digits) && digits.length * 4 === bits && !/^\d+$/.test(text);
  const isHexNumber = isHex || (/^[0-9-]+$/.test(text) && digits.length === 32 && bits === 128);
  const width = isHexNumber ? 4 : BASE32.test(digits) && digits.length === Math.ceil(bits / 5) ? 5 : 0;
  if (width === 0 || digits.length < 8) return [];
  // The first character of 26 has two bits more than the ID.
  const surplus = digits.length * width - bits;
  let digit = 0;
  return [...text].map((character, index) => {
    if (!isDigit(character, index)) return undefined;
    const from = width * digit++ - surplus;
    return [Math.max(0, from), from + width];
  });
}
