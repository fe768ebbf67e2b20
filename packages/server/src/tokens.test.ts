import { describe, expect, it } from 'vitest';
import { authorize, hashToken, type Scope, type Token, Tokens, UNKNOWN_CALLER } from './tokens.js';

const TEXTS = ['first-token-of-them', 'second-token-of-them', 'third-token-of-them'];

function token(text: string, more: Partial<Token> = {}): Token {
  return {
    name: text,
    sha256: hashToken(text),
    scopes: ['acquire'],
    services: '*',
    maxLeases: Number.POSITIVE_INFINITY,
    requestsPerSecond: 500,
    ...more,
  };
}

const refused = { status: 401, code: 'UNAUTHORIZED', headers: { 'www-authenticate': 'Bearer' } };

describe('a text that is too short', () => {
  it('is no token, although its hash is configured', () => {
    for (const text of ['', 'test', 'fifteen-letters']) {
      const tokens = new Tokens([token(text)]);
      expect(() => tokens.authenticate(`Bearer ${text}`)).toThrow(expect.objectContaining(refused));
    }
    expect(new Tokens([token('sixteen-letters!')]).authenticate('Bearer sixteen-letters!').token?.name).toBe(
      'sixteen-letters!',
    );
  });
});

describe('a text that documents show in the place of a token', () => {
  it('is no token, although its hash is configured', () => {
    for (const text of ['read-it-from-a-secret', '<a-secret-of-your-own>']) {
      const tokens = new Tokens([token(text)]);
      expect(() => tokens.authenticate(`Bearer ${text}`)).toThrow(expect.objectContaining(refused));
    }
  });
});

describe('a header', () => {
  const tokens = new Tokens(TEXTS.map((text) => token(text)));

  it.each(TEXTS)('with the token %s is known', (text) => {
    expect(tokens.authenticate(`Bearer ${text}`)).toMatchObject({ name: text, token: { name: text } });
  });

  it.each([
    ['in another case', `bearer ${TEXTS[0]}`],
    ['with more spaces', `Bearer   ${TEXTS[0]}  `],
  ])('%s is known, too', (_title, header) => {
    expect(tokens.authenticate(header).name).toBe(TEXTS[0]);
  });

  it.each([
    ['is missing', undefined],
    ['is empty', ''],
    ['has no token', 'Bearer '],
    ['has another token', 'Bearer another-token-of-them'],
    ['has a token and more', `Bearer ${TEXTS[0]}x`],
    ['has the beginning of a token', `Bearer ${TEXTS[0]?.slice(0, -1)}`],
    ['has two tokens', `Bearer ${TEXTS[0]} ${TEXTS[1]}`],
    ['has another scheme', `Basic ${TEXTS[0]}`],
    ['has the hash of a token', `Bearer ${Buffer.from(hashToken(TEXTS[0] ?? '')).toString('hex')}`],
    ['has no scheme', TEXTS[0]],
  ])('that %s is refused', (_title, header) => {
    let error: unknown;
    try {
      tokens.authenticate(header);
    } catch (reason) {
      error = reason;
    }
    expect(error).toMatchObject(refused);
    for (const text of TEXTS) expect(JSON.stringify(error)).not.toContain(text);
  });

  it('can be replaced while the server runs, but not by none', () => {
    const [old, next] = ['the-old-token-of-it', 'the-new-token-of-it'];
    const rotating = new Tokens([token(old)]);
    rotating.replace([token(next)]);
    expect(rotating.authenticate(`Bearer ${next}`).name).toBe(next);
    expect(() => rotating.authenticate(`Bearer ${old}`)).toThrow('a valid bearer token is needed');
    expect(() => rotating.replace([])).toThrow('between having tokens and having none');
    expect(() => new Tokens([]).replace([token(next)])).toThrow('between having tokens and having none');
    expect(rotating.authenticate(`Bearer ${next}`).name).toBe(next);
  });

  it('is compared with all tokens, whichever it is', () => {
    const looked: string[] = [];
    const watched = TEXTS.map((text) => {
      const { sha256, ...rest } = token(text);
      const watchedToken = {
        ...rest,
        get sha256() {
          looked.push(text);
          return sha256;
        },
      };
      return watchedToken;
    });
    const all = new Tokens(watched);
    for (const text of [...TEXTS, 'another-token-of-them']) {
      looked.length = 0;
      try {
        all.authenticate(`Bearer ${text}`);
      } catch {
        // The last one.
      }
      expect(looked).toEqual(TEXTS);
    }
  });

  it('is not requested when there are no tokens', () => {
    expect(new Tokens([]).authenticate(undefined)).toBe(UNKNOWN_CALLER);
    expect(new Tokens([]).authenticate('Bearer whatever')).toBe(UNKNOWN_CALLER);
  });
});

describe('a token', () => {
  const caller = (more: Partial<Token>) => ({ name: 'x', token: token('some-token-of-them', more) });

  it.each([
    [['acquire'], 'acquire', true],
    [['acquire'], 'observe', false],
    [['acquire', 'observe'], 'observe', true],
    [['operate'], 'acquire', false],
    [['mint'], 'operate', false],
  ] as [Scope[], Scope, boolean][])('with the scopes %j may %s: %s', (scopes, scope, isAllowed) => {
    const attempt = () => authorize(caller({ scopes }), scope);
    if (isAllowed) attempt();
    else expect(attempt).toThrow(expect.objectContaining({ status: 403, code: 'FORBIDDEN' }));
  });

  it('is for its services only', () => {
    const orders = caller({ services: ['orders'] });
    authorize(orders, 'acquire', 'orders');
    authorize(orders, 'acquire');
    const denied = expect.objectContaining({ status: 403, code: 'FORBIDDEN' });
    expect(() => authorize(orders, 'acquire', 'mails')).toThrow(denied);
    expect(() => authorize(orders, 'acquire', 'default')).toThrow(denied);
  });

  it('is not needed where there are none: then everybody may do everything', () => {
    for (const scope of ['acquire', 'observe', 'mint', 'operate'] as const)
      authorize(UNKNOWN_CALLER, scope, 'any');
  });
});
