import { describe, expect, it } from 'vitest';
import { answerTo } from './answer.js';

const NOW = Date.UTC(2026, 10, 18);
const V7 = '01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa';
const ULID = '01JGFJJZ00ENGSYN6QSQ3KMY59';
const OBJECT_ID = '507f1f77bcf86cd799439011';

describe('two IDs are compared, one is read', () => {
  it.each([
    [`${V7} ${ULID}`, 'two'],
    [`${ULID}\n${V7}`, 'two'],
    [`${OBJECT_ID}, ${V7}`, 'two'],
    [`${ULID} ${OBJECT_ID}`, 'two'],
    [`${V7} ${V7}`, 'two'],
    [V7, 'one'],
    [`request ${V7}`, 'one'],
    [`order-id ${V7}`, 'one'],
    [`{"id":"${V7}","count":12345}`, 'one'],
    [`${V7} accepted`, 'one'],
    ['nothing of ours', 'none'],
  ])('%s', (text, kind) => {
    expect(answerTo(text, undefined, NOW).kind).toBe(kind);
  });

  it('the reading that the reader chose comes before the comparison', () => {
    expect(answerTo(`${V7} ${ULID}`, 'uuid-v7', NOW).kind).toBe('one');
  });
});
