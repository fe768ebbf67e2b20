// The rules that the simulator switches off one by one, to show what each is for. A program has no use for this.
import * as rules from './rules.js';

export type SwitchableRules = Pick<
  typeof rules,
  | 'freeFromAfterRelease'
  | 'hasForgotten'
  | 'heldUntil'
  | 'isFree'
  | 'isLost'
  | 'isNewest'
  | 'isSafeInQuarantine'
  | 'mayHaveForgotten'
  | 'relayoutSlots'
>;

export const RULES: SwitchableRules = {
  freeFromAfterRelease: rules.freeFromAfterRelease,
  hasForgotten: rules.hasForgotten,
  heldUntil: rules.heldUntil,
  isFree: rules.isFree,
  isLost: rules.isLost,
  isNewest: rules.isNewest,
  isSafeInQuarantine: rules.isSafeInQuarantine,
  mayHaveForgotten: rules.mayHaveForgotten,
  relayoutSlots: rules.relayoutSlots,
};
