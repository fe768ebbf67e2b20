// The short form of `npm run fuzz`: every parser, some thousand texts.
import { describe, expect, it } from 'vitest';
import { Random } from '../simulation/world.ts';
import { fuzz, PARSERS } from './fuzz/parsers.ts';

const TEXTS = 4000;
const SEED = 20_261_118;

describe('hostile texts', () => {
  it.each(Object.entries(PARSERS))('are refused as documented, and never misread: %s', (name, parser) => {
    fuzz(name, parser, new Random(SEED), TEXTS / (parser.cost ?? 1));
  });

  it('that are misread are noticed, and printed', () => {
    const broken = { make: () => 'text', faultOf: () => 'a fault' };
    expect(() => fuzz('broken', broken, new Random(SEED), 1)).toThrow('broken, text 1: "text": a fault');
  });
});
