// IDs that belong to one service: YouTube videos, Stripe objects, Slack messages; and IDs with a prefix like Stripe's.
import { cut, textFacts } from '../facts.js';
import { message } from '../messages.js';
import { BASE64URL, fromBase64 } from '../radix.js';
import { inMicroseconds } from '../times.js';
import type { Format } from '../types.js';

/** 64 bits in 11 characters: an external ID of ours is written the same way. */
const youtube: Format<'youtube-video-id'> = {
  name: 'youtube-video-id',
  title: 'YouTube video ID',
  family: 'service',
  shape: { lengths: [11], alphabet: /[\w-]/ },
  recognise(text, { isForced }) {
    const value = text.length === 11 ? fromBase64(text, 64, BASE64URL) : undefined;
    // A word of eleven letters, or a number, is no video.
    const isMixed = /[A-Z]/.test(text) && /[a-z]/.test(text);
    if (value === undefined || !(isMixed || isForced)) return undefined;
    return { strength: 'shared', facts: textFacts({ text, randomBits: 64 }) };
  },
};

/** https://docs.stripe.com/api: what the prefix of an object says. */
const STRIPE_PREFIXES = new Set(
  'ac acct aliacc ba btok card cbtxn ch clock cn cs_live cs_test cus dp evt fee file fr iauth ic ich idp ii il in ipi link mandate or orret person pi pk_live pk_test plan plink pm po price prod promo prv pst_live pst_test py pyr qt rcpt re req rk_live rk_test seti si sk_live sk_test sku sli sqr src sub sub_sched tml tmr tok tr trr tu txi txn txr we whsec'.split(
    ' ',
  ),
);
const SECRET = /^(?:[sr]k_live|[sr]k_test|whsec)$/;
const STRIPE = /^([a-z]+(?:_(?:live|test|sched))?)_([0-9A-Za-z]{8,255})$/;

const stripe: Format<'stripe-id'> = {
  name: 'stripe-id',
  title: 'Stripe ID',
  family: 'service',
  recognise(text) {
    const [, prefix = '', body = ''] = STRIPE.exec(text) ?? [];
    if (!STRIPE_PREFIXES.has(prefix) || !/[0-9A-Z]/.test(body)) return undefined;
    return {
      strength: 'telling',
      facts: textFacts({
        text,
        segments: cut(text, ['prefix', 'version', prefix.length + 1], ['body', 'random']),
        notes: [SECRET.test(prefix) ? message('note-secret-key') : message('note-prefix', { prefix })],
      }),
    };
  },
};

const PREFIXED = /^([a-z][a-z0-9]{0,15}(?:_[a-z]{2,10})?)_([0-9A-Za-z]{10,64})$/;
const prefixed: Format<'prefixed-id'> = {
  name: 'prefixed-id',
  title: 'ID with a prefix',
  family: 'service',
  recognise(text) {
    const [, prefix, body = ''] = PREFIXED.exec(text) ?? [];
    const isMixed = /[0-9]/.test(body) && /[A-Za-z]/.test(body);
    if (prefix === undefined || !isMixed) return undefined;
    return {
      strength: 'shared',
      facts: textFacts({
        text,
        segments: cut(text, ['prefix', 'version', prefix.length + 1], ['body', 'random']),
        notes: [message('note-prefix', { prefix })],
      }),
    };
  },
};

/** https://api.slack.com/messaging/retrieving: seconds and six digits that make it unique; in links without the point. */
const SLACK = /^(?:([0-9]{10})\.([0-9]{6})|p([0-9]{10})([0-9]{6}))$/;
const slack: Format<'slack-ts'> = {
  name: 'slack-ts',
  title: 'Slack timestamp',
  family: 'service',
  since: Date.UTC(2012, 0, 1),
  recognise(text) {
    const [, a, b, c, d] = SLACK.exec(text) ?? [];
    const [seconds, micros] = [a ?? c, b ?? d];
    if (!seconds || !micros) return undefined;
    const usual = `${seconds}.${micros}`;
    return {
      strength: 'telling',
      facts: textFacts({
        text: usual,
        segments: cut(usual, ['seconds', 'time', 10], ['point', 'other', 1], ['unique', 'sequence']),
        time: inMicroseconds(BigInt(seconds + micros)),
        order: 'time',
        randomBits: 0,
        forms: [{ name: 'link', text: `p${seconds}${micros}` }],
      }),
    };
  },
};

export const serviceFormats = [youtube, stripe, slack, prefixed] as const;
