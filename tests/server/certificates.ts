// Certificates for tests: an authority, and what it signs.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SystemPackage } from '../../scripts/system-packages.ts';
import { programPath } from '../services/process.ts';

export const OPENSSL: SystemPackage = {
  commands: ['openssl'],
  override: 'KAZAHANA_OPENSSL',
  debian: 'openssl',
};

export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

function openssl(...args: string[]): void {
  execFileSync(programPath(OPENSSL), args, { stdio: ['ignore', 'ignore', 'pipe'] });
}

/** An authority of this name; its files are in the folder. */
export function makeAuthority(folder: string, name: string): Certificate {
  const [cert, key] = [join(folder, `${name}.pem`), join(folder, `${name}.key`)];
  openssl('req', '-x509', ...KEY, '-keyout', key, '-out', cert, '-days', '2', '-subj', `/CN=${name}`);
  return { cert, key };
}

/** A certificate for 127.0.0.1 and localhost that the authority has signed. */
export function makeCertificate(folder: string, name: string, authority: Certificate): Certificate {
  const [cert, key] = [join(folder, `${name}.pem`), join(folder, `${name}.key`)];
  const [request, extensions] = [join(folder, `${name}.csr`), join(folder, `${name}.ext`)];
  openssl('req', '-new', ...KEY, '-keyout', key, '-out', request, '-subj', `/CN=${name}`);
  writeFileSync(extensions, 'subjectAltName = IP:127.0.0.1, DNS:localhost\n');
  const signer = ['-CA', authority.cert, '-CAkey', authority.key, '-CAcreateserial'];
  openssl('x509', '-req', '-in', request, ...signer, '-out', cert, '-days', '2', '-extfile', extensions);
  return { cert, key };
}
