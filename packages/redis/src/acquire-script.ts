// The script of an acquire: the rules of the pool that need the store's own clock and must hold at one moment (R2, R3,
// R8). What does not change from grant to grant (layout, quarantine, lost pools) is decided outside, from a copy of the
// pool's state; the script refuses to work when that copy is of another version. It calls Redis as seldom as it can,
// for that is what it costs, and writes the slots first: should it end there, they are taken and nobody has them.
import { Script } from './script.js';

/** What the script answers, on lines: what happened, the store's time, and what belongs to it. */
export type AcquireReply =
  | readonly ['granted', now: string, serial: string, slots: string]
  | readonly ['repeated', now: string, serial: string, ...grant: string[]]
  | readonly ['changed' | 'forgotten' | 'too many' | 'uncounted' | 'quarantined', now: string]
  | readonly ['quota' | 'taken', now: string, nextAt: string];

// KEYS: pool, slots; where leases are counted also the sets of those held by the service and by the account.
// ARGV: 1 version, 2 serial that the client has seen, 3 request, 4 end of the quarantine, 5 wanted leases (-1 when more
// than allowed), 6 slots of the pool, 7 for how long slots are taken, 8 the rest of the grant's record, 9 secrets, 10
// what stands before a slot in the sets of held leases, 11 and 12 the limits of service and account.
export const ACQUIRE = new Script(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local nowText, request = string.format('%d', now), ARGV[3]
local version, serial, used, answer = unpack(redis.call('HMGET', KEYS[1], 'version', 'serial', 'used', request))
if version ~= ARGV[1] then return 'changed\\n' .. nowText end
if tonumber(serial) < tonumber(ARGV[2]) then return 'forgotten\\n' .. nowText end

if answer then
  local place, first = string.match(answer, '^(%S+) (%d+)')
  local grant = redis.call('HGET', KEYS[1], place)
  local granted, created, duration =
    string.match(grant or '', '^(%d+)\\n[^\\n]*\\n(%d+)\\n[^\\n]*\\n[^\\n]*\\n(%d+)')
  if granted == first and now < created + duration then
    -- Whoever got it first and wants to take it back must know that it is not alone any more.
    if not string.find(answer, 'again', 1, true) then redis.call('HSET', KEYS[1], request, answer .. ' again') end
    return 'repeated\\n' .. nowText .. '\\n' .. serial .. '\\n' .. grant
  end
end
if now < tonumber(ARGV[4]) then return 'quarantined\\n' .. nowText end
local wanted = tonumber(ARGV[5])
if wanted < 0 then return 'too many\\n' .. nowText end

-- A set of held leases is kept once somebody has asked for it; the entry without a name says that it is complete.
local counted, nextAt = {}, 0
for i = 3, #KEYS do
  local limit = ARGV[i + 8]
  if limit ~= '' or redis.call('EXISTS', KEYS[i]) == 1 then
    redis.call('ZREMRANGEBYSCORE', KEYS[i], '-inf', nowText)
    local held = redis.call('ZCARD', KEYS[i]) - 1
    if held < 0 then return 'uncounted\\n' .. nowText end
    if limit ~= '' then
      wanted = math.max(0, math.min(wanted, limit - held))
      if held >= tonumber(limit) then
        nextAt = math.max(nextAt, redis.call('ZRANGE', KEYS[i], 0, 0, 'WITHSCORES')[2])
      end
    end
    counted[#counted + 1] = KEYS[i]
  end
end
if wanted == 0 then return 'quota\\n' .. nowText .. '\\n' .. string.format('%.0f', nextAt) end

-- Never used slots first, in order; then the longest free.
local taken = {}
local fresh = math.min(wanted, ARGV[6] - used)
for i = 1, fresh do taken[i] = string.format('%09d', used + i - 1) end
if fresh < wanted then
  local free = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', nowText, 'LIMIT', 0, wanted - fresh)
  for i = 1, #free do taken[fresh + i] = free[i] end
end
local count = #taken
if count == 0 then
  return 'taken\\n' .. nowText .. '\\n' .. (redis.call('ZRANGE', KEYS[2], 0, 0, 'WITHSCORES')[2] or nowText)
end

local ends = string.format('%d', now + ARGV[7])
serial = string.format('%d', serial + 1)
local list, secrets = table.concat(taken, ' '), ARGV[9]
if #secrets > 32 * count then secrets = string.sub(secrets, 1, 32 * count) end
local grant = serial .. '\\n' .. request .. '\\n' .. nowText .. '\\n' .. list .. '\\n' .. secrets .. '\\n' .. ARGV[8]
-- One lease is kept at its slot; several are kept together, and their slots say where.
local place, kept = taken[1], grant
if count > 1 then
  place = '@' .. serial
  kept = place .. ' ' .. request
end

-- Lua hands on no more than 8,000 values at a time.
for from = 1, count, 2000 do
  local to = math.min(from + 1999, count)
  local scores, fields, at = {}, {}, 0
  for i = from, to do
    local slot = taken[i]
    scores[at + 1] = ends
    scores[at + 2] = slot
    fields[at + 1] = slot
    fields[at + 2] = kept
    at = at + 2
  end
  redis.call('ZADD', KEYS[2], unpack(scores))
  if to > fresh then
    -- The windows of the leases that were kept there have ended, as have those of all in the same grant.
    local earlier, last = redis.call('HMGET', KEYS[1], unpack(taken, math.max(from, fresh + 1), to)), false
    for i = 1, #earlier do
      local old = earlier[i]
      if old and old ~= last then
        last = old
        local oldSerial, oldRequest = string.match(old, '^@?(%d+)[\\n ]([^\\n]*)')
        if string.byte(old) == 64 then redis.call('HDEL', KEYS[1], '@' .. oldSerial) end
        if oldRequest ~= '' then
          local oldAnswer = redis.call('HGET', KEYS[1], oldRequest)
          if oldAnswer and string.match(oldAnswer, ' (%d+)') == oldSerial then
            redis.call('HDEL', KEYS[1], oldRequest)
          end
        end
      end
    end
  end
  if to == count then
    fields[at + 1] = 'serial'
    fields[at + 2] = serial
    if fresh > 0 then
      fields[at + 3] = 'used'
      fields[at + 4] = string.format('%d', used + fresh)
      at = at + 2
    end
    if count > 1 then
      fields[at + 3] = place
      fields[at + 4] = grant
      at = at + 2
    end
    if request ~= '' then
      fields[at + 3] = request
      fields[at + 4] = place .. ' ' .. serial
    end
  end
  redis.call('HSET', KEYS[1], unpack(fields))
  for _, key in ipairs(counted) do
    for i = 2, #scores, 2 do scores[i] = ARGV[10] .. taken[from + i / 2 - 1] end
    redis.call('ZADD', key, unpack(scores))
  end
end
return 'granted\\n' .. nowText .. '\\n' .. serial .. '\\n' .. list
`);
