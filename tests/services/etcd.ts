// Real etcd servers for tests: one, a cluster, one behind a password, one behind certificates.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { SystemPackage } from '../../scripts/system-packages.ts';
import { dataFolder, freePort, programPath, Service } from './process.ts';

export const ETCD: SystemPackage = {
  commands: ['etcd'],
  override: 'KAZAHANA_ETCD',
  debian: 'etcd-server',
};

const OPENSSL: SystemPackage = { commands: ['openssl'], debian: 'openssl' };

const urlOf = (port: number, scheme = 'http') => `${scheme}://127.0.0.1:${port}`;

/** How clients reach a member. */
export const etcdUrl = ({ port }: { readonly port: number }, scheme?: 'https'): string => urlOf(port, scheme);

async function isHealthy(port: number): Promise<boolean> {
  const response = await fetch(`${urlOf(port)}/health`, { signal: AbortSignal.timeout(1000) });
  return ((await response.json()) as { health?: unknown }).health === 'true';
}

interface Member {
  readonly name: string;
  readonly port: number;
  readonly peerPort: number;
  readonly folder: string;
}

async function newMember(name: string): Promise<Member> {
  return { name, port: await freePort(), peerPort: await freePort(), folder: await dataFolder('etcd') };
}

/** A member that is not started; it tells of its health over plain HTTP on `healthPort`. */
function toService(
  { name, port, peerPort, folder }: Member,
  cluster: readonly Member[],
  { scheme, healthPort, settings }: { scheme: string; healthPort: number; settings: readonly string[] },
): Service {
  const peers = cluster.map((member) => `${member.name}=${urlOf(member.peerPort)}`).join(',');
  const [url, peerUrl] = [urlOf(port, scheme), urlOf(peerPort)];
  return new Service({
    name: 'etcd',
    port,
    folder,
    command: programPath(ETCD),
    args: [
      ...['--name', name, '--data-dir', folder, '--logger', 'zap', '--log-level', 'error'],
      ...['--listen-client-urls', url, '--advertise-client-urls', url],
      ...['--listen-peer-urls', peerUrl, '--initial-advertise-peer-urls', peerUrl],
      ...['--initial-cluster', peers, '--initial-cluster-state', 'new'],
      // A single member waits for that long after every start, before it elects itself.
      ...(cluster.length === 1
        ? ['--heartbeat-interval', '10', '--election-timeout', '100']
        : ['--heartbeat-interval', '50', '--election-timeout', '500']),
      ...settings,
    ],
    isReady: () => isHealthy(healthPort),
  });
}

/** The members of an etcd cluster, all healthy; `settings` are further flags for each of them. */
export async function startEtcdCluster(size: number, settings: readonly string[] = []): Promise<Service[]> {
  const members = await Promise.all(Array.from({ length: size }, (_, index) => newMember(`member${index}`)));
  const services = members.map((member) =>
    toService(member, members, { scheme: 'http', healthPort: member.port, settings }),
  );
  return Promise.all(services.map((service) => service.start()));
}

export async function startEtcd(
  settings: readonly string[] = ['--auto-compaction-retention', '1'],
): Promise<Service> {
  const [service] = await startEtcdCluster(1, settings);
  if (!service) throw new Error('a cluster of one has a member');
  return service;
}

/** Asks a member's gateway for something, as an administrator who is not logged in. */
export async function etcdCall(service: Service, path: string, body: object): Promise<unknown> {
  const response = await fetch(`${etcdUrl(service)}/v3/${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
  return response.json();
}

const bytes = (text: string) => Buffer.from(text).toString('base64');

/** Lets in only root, and a user who may read and write the keys from `prefix` on, up to the next slash sign. */
export async function requirePassword(
  service: Service,
  user: { readonly name: string; readonly password: string; readonly prefix: string },
): Promise<void> {
  const { name, password, prefix } = user;
  const perm = { permType: 'READWRITE', key: bytes(prefix), range_end: bytes(`${prefix.slice(0, -1)}0`) };
  await etcdCall(service, 'auth/user/add', { name: 'root', password: `${password} of root` });
  await etcdCall(service, 'auth/role/add', { name: 'root' });
  await etcdCall(service, 'auth/user/grant', { user: 'root', role: 'root' });
  await etcdCall(service, 'auth/role/add', { name: 'leases' });
  await etcdCall(service, 'auth/role/grant', { name: 'leases', perm });
  await etcdCall(service, 'auth/user/add', { name, password });
  await etcdCall(service, 'auth/user/grant', { user: name, role: 'leases' });
  await etcdCall(service, 'auth/enable', {});
}

export interface EtcdCertificates {
  readonly ca: string;
  /** Of a client. */
  readonly cert: string;
  readonly key: string;
}

/** An etcd that speaks TLS only, and only with clients that have a certificate. */
export async function startEtcdWithTls(): Promise<{ service: Service; certificates: EtcdCertificates }> {
  const member = await newMember('member0');
  // Beside its data, so that they go with it.
  const { folder } = member;
  const ca = makeCertificate(folder, 'ca');
  const server = makeCertificate(folder, 'server', ca);
  const client = makeCertificate(folder, 'client', ca);
  const healthPort = await freePort();
  const settings = [
    ...['--cert-file', server.certFile, '--key-file', server.keyFile],
    ...['--trusted-ca-file', ca.certFile, '--client-cert-auth', '--listen-metrics-urls', urlOf(healthPort)],
  ];
  const service = await toService(member, [member], { scheme: 'https', healthPort, settings }).start();
  const read = (path: string) => readFileSync(path, 'utf8');
  return {
    service,
    certificates: { ca: read(ca.certFile), cert: read(client.certFile), key: read(client.keyFile) },
  };
}

interface CertificateFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/** A certificate for 127.0.0.1, by another one or by itself; good for both sides, since the gateway is a client, too. */
function makeCertificate(folder: string, name: string, by?: CertificateFiles): CertificateFiles {
  const openssl = (...args: string[]) =>
    execFileSync(programPath(OPENSSL), args, { cwd: folder, stdio: 'pipe' });
  const [certFile, keyFile] = [join(folder, `${name}.pem`), join(folder, `${name}.key`)];
  const subject = ['-subj', `/CN=kazahana ${name}`];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', keyFile];
  if (!by) {
    openssl('req', '-x509', ...key, ...subject, '-days', '2', '-out', certFile);
    return { certFile, keyFile };
  }
  writeFileSync(
    join(folder, `${name}.ext`),
    'subjectAltName=IP:127.0.0.1\nextendedKeyUsage=serverAuth,clientAuth\n',
  );
  openssl('req', ...key, ...subject, '-out', `${name}.csr`);
  openssl(
    ...['x509', '-req', '-in', `${name}.csr`, '-CA', by.certFile, '-CAkey', by.keyFile, '-CAcreateserial'],
    ...['-extfile', `${name}.ext`, '-days', '2', '-out', certFile],
  );
  return { certFile, keyFile };
}

/** A way to a member on which a test can hold requests up, and lose responses. */
class EtcdWay {
  /** What a request waits for before it goes on. */
  holdsUp: (body: string) => Promise<unknown> | undefined = () => undefined;
  /** Whether the connection is broken instead of a response, after etcd has done what was requested. */
  losesResponse: (body: string) => boolean = () => false;
  readonly #server = createServer((incoming, outgoing) => {
    readAll(incoming).then(async (body) => {
      await this.holdsUp(body);
      const { method, url, headers } = incoming;
      const forwarded = request(
        new URL(url ?? '', this.#target),
        { method, headers },
        async (incomingResponse) => {
          const text = await readAll(incomingResponse);
          if (this.losesResponse(body)) incoming.socket.destroy();
          else outgoing.writeHead(incomingResponse.statusCode ?? 500).end(text);
        },
      );
      forwarded.on('error', () => incoming.socket.destroy());
      forwarded.end(body);
    });
  });
  #target: string;

  constructor(target: string) {
    this.#target = target;
  }

  /** Leads to another member from now on. */
  leadTo(service: Service): void {
    this.#target = etcdUrl(service);
  }

  async open(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  get url(): string {
    return urlOf((this.#server.address() as AddressInfo).port);
  }

  /** Ends all connections of clients; what they have sent goes on to the member. */
  breakConnections(): void {
    this.#server.closeAllConnections();
  }

  close(): void {
    this.breakConnections();
    this.#server.close();
  }
}

export function openEtcdWay(service: Service): Promise<EtcdWay> {
  return new EtcdWay(etcdUrl(service)).open();
}

async function readAll(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
