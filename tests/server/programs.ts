// The programs that tests of the server need and npm cannot bring.
import { ensureSystemPackage, type FoundProgram, type SystemPackage } from '../../scripts/system-packages.ts';
import { ETCD } from '../services/etcd.ts';
import { POSTGRES } from '../services/postgres.ts';
import { REDIS } from '../services/redis.ts';
import { OPENSSL } from './certificates.ts';

const PROGRAMS = { redis: REDIS, postgres: POSTGRES, etcd: ETCD, openssl: OPENSSL } as const;

/** All of them, installed first where they must and can be. */
export function findPrograms(): { readonly name: string; readonly found: FoundProgram }[] {
  return Object.entries(PROGRAMS).map(([name, program]) => ({ name, found: ensureSystemPackage(program) }));
}

/** Whether a store, or what else it is, can be had here; what needs no program can. */
export function isThere(name: string): boolean {
  const programs: Readonly<Record<string, SystemPackage>> = PROGRAMS;
  const program = programs[name];
  return program === undefined || ensureSystemPackage(program).path !== null;
}
