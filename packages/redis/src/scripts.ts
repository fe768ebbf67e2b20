// The other scripts of a pool, each one atomic step. What they decide is only what must be decided at that moment;
// the rules themselves are applied outside, and a script whose caller knew another version of the pool does nothing.
import { Script } from './script.js';

const NOW = `
local time = redis.call('TIME')
local now = string.format('%d', time[1] * 1000 + math.floor(time[2] / 1000))
`;

const IS_CURRENT = `
if redis.call('HGET', KEYS[1], 'version') ~= ARGV[1] then return 'changed' end
`;

/** Where the grant of a field is kept; false when there is none. */
const GRANT_AT = `
local function grantAt(field)
  local kept = redis.call('HGET', KEYS[1], field)
  if not kept or string.byte(kept) ~= 64 then return kept, field end
  local place = string.match(kept, '^@%d+')
  return redis.call('HGET', KEYS[1], place), place
end
`;

/** A pool: `[now, version, serial, state]`; or `[now, 'missing' or 'lost']`, lost when there are traces of it. */
// KEYS: pool, slots.
export const OPEN = new Script(`${NOW}
local pool = redis.call('HMGET', KEYS[1], 'version', 'serial', 'state')
if pool[1] then return {now, pool[1], pool[2], pool[3]} end
return {now, redis.call('EXISTS', KEYS[2]) == 0 and 'missing' or 'lost'}
`);

/** Makes a pool, unless there is one. */
// KEYS: pool, slots. ARGV: version, state.
export const CREATE = new Script(`
if redis.call('HEXISTS', KEYS[1], 'version') == 1 then return 'changed' end
redis.call('DEL', KEYS[1], KEYS[2])
redis.call('HSET', KEYS[1], 'version', ARGV[1], 'state', ARGV[2], 'serial', '0', 'used', '0')
return 'done'
`);

/** Puts another state in the place of the one that the caller knows. The serial never falls. */
// KEYS: pool. ARGV: version, next version, state, serial.
export const CHANGE = new Script(`${IS_CURRENT}
redis.call('HSET', KEYS[1], 'version', ARGV[2], 'state', ARGV[3])
if tonumber(redis.call('HGET', KEYS[1], 'serial')) < tonumber(ARGV[4]) then
  redis.call('HSET', KEYS[1], 'serial', ARGV[4])
end
return 'done'
`);

/** The grants that are kept for some fields, which stand for one slot in several layouts: `[now, grant or '', …]`. */
// KEYS: pool. ARGV: version, fields.
export const FIND = new Script(`${IS_CURRENT}${NOW}${GRANT_AT}
local found = {now}
for i = 2, #ARGV do found[i] = grantAt(ARGV[i]) or '' end
return found
`);

/**
 * Forgets a lease and the answer that it was a part of, if it is still of the grant that the caller knows. A slot whose
 * \`freeFrom\` is still the end of this lease becomes free earlier (rule R2), if the caller says so.
 */
// KEYS: pool, slots, sets of held leases.
// ARGV: 1 version, 2 field of the lease, 3 its slot, 4 serial of its grant, 5 its end, 6 free from then on ('' to leave
// it taken), 7 its name in the sets of held leases, 8 'alone' to do nothing when others were given the answer, too.
export const FORGET = new Script(`${IS_CURRENT}${GRANT_AT}
local field, slot = ARGV[2], ARGV[3]
local grant, place = grantAt(field)
local serial, request, created, slots, secrets, rest =
  string.match(grant or '', '^(%d+)\\n([^\\n]*)\\n(%d+)\\n([%d ]+)\\n(%x+)\\n(.*)$')
if serial ~= ARGV[4] then return 'gone' end
local at = string.find(slots, slot, 1, true)
if not at then return 'gone' end

if request ~= '' then
  local answer = redis.call('HGET', KEYS[1], request)
  if answer and string.match(answer, ' (%d+)') == serial then
    if ARGV[8] == 'alone' and string.find(answer, 'again', 1, true) then return 'shared' end
    redis.call('HDEL', KEYS[1], request)
  end
end
redis.call('HDEL', KEYS[1], field)
if #slots == #slot then
  redis.call('HDEL', KEYS[1], place)
else
  local before = (at - 1) / (#slot + 1)
  slots = string.sub(string.sub(slots, 1, at - 1) .. string.sub(slots, at + #slot + 1) .. ' ', 1, #slots - #slot - 1)
  secrets = string.sub(secrets, 1, 32 * before) .. string.sub(secrets, 32 * before + 33)
  grant = table.concat({serial, request, created, slots, secrets, rest}, '\\n')
  redis.call('HSET', KEYS[1], place, grant)
end
for i = 3, #KEYS do redis.call('ZREM', KEYS[i], ARGV[7]) end
if ARGV[6] ~= '' and tonumber(redis.call('ZSCORE', KEYS[2], slot)) == tonumber(ARGV[5]) then
  redis.call('ZADD', KEYS[2], ARGV[6], slot)
end
return 'done'
`);

/** Whether a field of the pool and what is kept there are a grant. */
const IS_GRANT = `
local function isGrant(field, kept) return string.find(field, '^[@%d]') and string.find(kept, '^%d+\\n') end
`;

/** Some of the grants: `[now, cursor, grant, grant, …]`; a grant may come twice. */
// KEYS: pool. ARGV: cursor, about how many.
export const SCAN = new Script(`${NOW}${IS_GRANT}
local page = redis.call('HSCAN', KEYS[1], ARGV[1], 'COUNT', ARGV[2])
local found = {now, page[1]}
for i = 1, #page[2], 2 do
  if isGrant(page[2][i], page[2][i + 1]) then found[#found + 1] = page[2][i + 1] end
end
return found
`);

/** The lines of a grant, as many as there are. */
const LINES = `
local function linesOf(grant)
  local lines = {}
  for line in string.gmatch(grant .. '\\n', '([^\\n]*)\\n') do lines[#lines + 1] = line end
  return lines
end
`;

/**
 * Begins to count the leases of a service or an account: looks through all grants once. A set that nobody needs any
 * more goes after a day; one that is needed is then made anew.
 */
// KEYS: pool, set of held leases. ARGV: the line of a grant in which the name stands, the name.
export const COUNT = new Script(`${NOW}${IS_GRANT}${LINES}
redis.call('DEL', KEYS[2])
redis.call('ZADD', KEYS[2], '+inf', '')
local fields = redis.call('HGETALL', KEYS[1])
for i = 1, #fields, 2 do
  if isGrant(fields[i], fields[i + 1]) then
    local lines = linesOf(fields[i + 1])
    local ends = lines[3] + lines[6] + lines[7]
    if lines[tonumber(ARGV[1])] == ARGV[2] and ends > tonumber(now) then
      for slot in string.gmatch(lines[4], '%d+') do
        redis.call('ZADD', KEYS[2], string.format('%d', ends), lines[9] .. ':' .. slot)
      end
    end
  end
end
redis.call('EXPIRE', KEYS[2], 86400)
return 'done'
`);

/**
 * Puts the slots of another layout in the place of the present ones: each is free when every old slot that it overlaps
 * is (rule R4, as \`relayoutSlots\` has it). Leases whose windows have ended go, and so do all answers; the others are
 * kept where those of their layout are.
 */
// KEYS: pool, slots. ARGV: version, next version, state, old width of the sequence, new width.
export const RELAYOUT = new Script(`${IS_CURRENT}${NOW}${IS_GRANT}${LINES}
local scale = 2 ^ (ARGV[4] - ARGV[5])
local freeFrom, order = {}, {}
local old = redis.call('ZRANGE', KEYS[2], 0, -1, 'WITHSCORES')
for i = 1, #old, 2 do
  local first = math.floor(old[i] * scale)
  for slot = first, math.max(first + 1, (old[i] + 1) * scale) - 1 do
    if not freeFrom[slot] then order[#order + 1] = slot end
    freeFrom[slot] = math.max(freeFrom[slot] or 0, old[i + 1])
  end
end
redis.call('DEL', KEYS[2])
for _, slot in ipairs(order) do
  redis.call('ZADD', KEYS[2], string.format('%d', freeFrom[slot]), string.format('%09d', slot))
end

local fields, live = redis.call('HGETALL', KEYS[1]), {}
for i = 1, #fields, 2 do
  if isGrant(fields[i], fields[i + 1]) then
    local lines = linesOf(fields[i + 1])
    if lines[3] + lines[6] + lines[7] > tonumber(now) then live[#live + 1] = {fields[i], fields[i + 1], lines} end
  end
  if string.find(fields[i], '^["@%d]') then redis.call('HDEL', KEYS[1], fields[i]) end
end
for _, entry in ipairs(live) do
  local place, grant, lines = unpack(entry)
  local isOne = string.byte(place) ~= 64
  if not isOne then redis.call('HSET', KEYS[1], place, grant) end
  for slot in string.gmatch(lines[4], '%d+') do
    local field = lines[9] == ARGV[5] and slot or lines[9] .. ':' .. slot
    redis.call('HSET', KEYS[1], field, isOne and grant or place .. ' ' .. lines[2])
  end
end
redis.call('HSET', KEYS[1], 'version', ARGV[2], 'state', ARGV[3], 'used', string.format('%d', #order))
return 'done'
`);

/** What the start-up check asks of the server that keeps a pool. */
// KEYS: pool.
export const INFO = new Script(`
return redis.call('INFO', 'memory') .. redis.call('INFO', 'persistence')
`);
