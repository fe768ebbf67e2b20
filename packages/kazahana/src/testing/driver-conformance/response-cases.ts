// Responses to requests: kept by request, with the slots that they name (rule R8).
import { equal } from '../conformance/checks.js';
import { byNumber, type DriverCase, firstWrite, GENERATION, numbersOf } from './subject.js';

const OTHER = 'another generation';
const slotsOf = (...slots: number[]) => slots.map((slot) => ({ generation: GENERATION, slot }));

export const responseCases: readonly DriverCase[] = [
  {
    name: 'a response is read back by its request, and its slots come along',
    rule: 'R8',
    async run(trial) {
      const slots = [...slotsOf(4, 2), { generation: OTHER, slot: 1 }];
      const after = { request: 'request', created: 12_345, slots };
      await trial.create(
        firstWrite(2),
        firstWrite(4),
        firstWrite(1, { data: 'other' }, OTHER),
        firstWrite(7),
      );
      equal('the response before it is written', await trial.response('request'), undefined);
      await trial.change({ responses: [{ before: null, after }] });
      const facts = await trial.look({ requests: ['request', 'another request'] });
      equal('the responses', facts.responses, [after]);
      equal(
        'the slots',
        byNumber(facts.slots).map(({ slot, data }) => [slot, data]),
        [
          [1, 'other'],
          [2, 'slot 2'],
          [4, 'slot 4'],
        ],
      );
      equal('responses that are not requested', (await trial.look()).responses, []);
    },
  },
  {
    name: 'a response brings the slots that there are, as they are now',
    rule: 'R8',
    async run(trial) {
      await trial.create(firstWrite(0), firstWrite(1, {}, OTHER));
      const slots = [...slotsOf(0, 5), { generation: OTHER, slot: 1 }];
      const after = { request: 'request', created: 1, slots };
      await trial.change({ responses: [{ before: null, after }] });
      await trial.put([{ slot: 0, data: 'released' }]);
      await trial.driver.drop('pool', OTHER);
      const facts = await trial.look({ requests: ['request'] });
      equal('the response', facts.responses, [after]);
      equal(
        'the slots',
        facts.slots.map(({ slot, data }) => [slot, data]),
        [[0, 'released']],
      );
    },
  },
  {
    name: 'many responses are kept in one write and read at once, each with its own',
    rule: 'R8',
    async run(trial) {
      const numbers = Array.from({ length: 64 }, (_, index) => index);
      const after = numbers.map((slot) => ({
        request: `request ${slot}`,
        created: slot,
        slots: slotsOf(slot),
      }));
      await trial.create();
      const most = Math.min(64, trial.driver.maxSlotsPerWrite);
      for (let at = 0; at < 64; at += most) {
        const some = after.slice(at, at + most);
        const slots = some.map(({ created }) => firstWrite(created));
        await trial.change({ slots, responses: some.map((response) => ({ before: null, after: response })) });
      }
      const facts = await trial.look({ requests: after.map(({ request }) => request) });
      const found = [...facts.responses].sort((a, b) => a.created - b.created);
      equal('the responses', found, after);
      equal('the slots', numbersOf(byNumber(facts.slots)), numbers);
    },
  },
  {
    name: 'a response is replaced by one with another time, and then is the only one',
    rule: 'R8',
    async run(trial) {
      const first = { request: 'request', created: 5, slots: slotsOf(0, 1) };
      const second = { request: 'request', created: 9, slots: slotsOf(2) };
      await trial.create(firstWrite(0), firstWrite(1), firstWrite(2));
      await trial.change({ responses: [{ before: null, after: first }] });
      await trial.change({ responses: [{ before: 5, after: second }] });
      const facts = await trial.look({ requests: ['request'] });
      equal('the responses', facts.responses, [second]);
      equal('their slots', numbersOf(facts.slots), [2]);
      await trial.change({ responses: [{ before: 9, after: { ...second, slots: [] } }] });
      equal('a response without slots', await trial.response('request'), { ...second, slots: [] });
    },
  },
  {
    name: 'a response is forgotten by request and time, and only by both',
    rule: 'R8',
    async run(trial) {
      const response = { request: 'request', created: 5, slots: slotsOf(0) };
      const other = { request: 'another request', created: 5, slots: slotsOf(1) };
      await trial.create(firstWrite(0), firstWrite(1));
      await trial.change({
        responses: [response, other].map((after) => ({ before: null, after })),
      });
      for (const forget of [
        { request: 'request', created: 4 },
        { request: 'no such request', created: 5 },
      ]) {
        await trial.change({ forget: [forget] });
        equal('the response when another is forgotten', await trial.response('request'), response);
      }
      await trial.change({ forget: [{ request: 'request', created: 5 }] });
      equal('the response when it is forgotten', await trial.response('request'), undefined);
      equal('the response to another request', await trial.response('another request'), other);
      await trial.change({ forget: [{ request: 'request', created: 5 }] });
      await trial.change({ responses: [{ before: null, after: response }] });
      equal('the response when it is written again', await trial.response('request'), response);
    },
  },
  {
    name: 'a response that is forgotten and replaced in one write is the new one',
    rule: 'R8',
    async run(trial) {
      const first = { request: 'request', created: 5, slots: slotsOf(0) };
      const second = { ...first, created: 9 };
      await trial.create(firstWrite(0));
      await trial.change({ responses: [{ before: null, after: first }] });
      const forget = [{ request: 'request', created: 5 }];
      await trial.change({ responses: [{ before: 5, after: second }], forget });
      equal('the response', await trial.response('request'), second);
    },
  },
];
