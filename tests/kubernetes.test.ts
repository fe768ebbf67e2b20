// The Kubernetes manifests in deploy/ fit together, give away no rights, and configure a server that starts.
import { globSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { root } from '../scripts/run.ts';
import { findSnippets } from './documents/snippets.ts';
import { readFile } from './operations-page.ts';
import { resolveFile } from './server-config.ts';

const page = readFile('docs/kubernetes.md');
const STORE = 'postgres://kazahana:secret@db.example/kazahana';

interface Container {
  readonly image: string;
  readonly env: { name: string; value?: string; valueFrom?: { secretKeyRef: { name: string } } }[];
  readonly ports: { name: string; containerPort: number }[];
  readonly livenessProbe: { httpGet: Record<string, unknown> };
  readonly readinessProbe: { httpGet: Record<string, unknown> };
  readonly lifecycle: { preStop: { exec: { command: string[] } } };
  readonly resources: unknown;
  readonly securityContext: unknown;
  readonly volumeMounts: { name: string; mountPath: string; readOnly?: boolean }[];
}

interface Manifest {
  readonly kind: string;
  readonly metadata: { name: string; labels: Record<string, string> };
  readonly data: Record<string, string>;
  readonly spec: {
    readonly replicas: number;
    readonly selector: Record<string, unknown>;
    readonly strategy: { rollingUpdate: { maxUnavailable: number } };
    readonly maxUnavailable: number;
    readonly podSelector: unknown;
    readonly policyTypes: string[];
    readonly ingress: { ports: { port: unknown }[]; from: unknown[] }[];
    readonly ports: { name: string; targetPort: string }[];
    readonly endpoints: { port: string; path: string; authorization: { credentials: { key: string } } }[];
    readonly template: {
      metadata: { labels: Record<string, string> };
      spec: {
        containers: Container[];
        securityContext: Record<string, unknown>;
        terminationGracePeriodSeconds: number;
        automountServiceAccountToken: boolean;
        volumes: { name: string; configMap?: { name: string }; secret?: { secretName: string } }[];
      };
    };
  };
}

describe('the Kubernetes manifests', () => {
  const files = globSync('deploy/kubernetes/**/*.yaml', { cwd: root });
  // Kubernetes reads YAML 1.1, where 0440 is octal.
  const manifests = files.map((path) => parse(readFile(path), { version: '1.1' }) as Manifest);
  const of = (kind: string): Manifest => {
    const [found, ...more] = manifests.filter((manifest) => manifest.kind === kind);
    if (!found || more.length > 0) throw new Error(`there must be one ${kind}`);
    return found;
  };
  const deployment = of('Deployment').spec;
  const pod = deployment.template.spec;
  const [container, ...others] = pod.containers;
  if (!container || others.length > 0) throw new Error('there must be one container');
  const { labels } = deployment.template.metadata;
  const json = of('ConfigMap').data['config.json'] ?? '';
  const config = resolveFile(json, { env: { KAZAHANA_STORE: STORE } });

  it('are one of each, and speak of the same pods', () => {
    const kinds = manifests.map(({ kind }) => kind).sort();
    expect(kinds).toEqual([
      'ConfigMap',
      'Deployment',
      'NetworkPolicy',
      'PodDisruptionBudget',
      'Service',
      'ServiceMonitor',
    ]);
    expect(of('Service').spec.selector).toEqual(labels);
    for (const selector of [
      deployment.selector,
      of('PodDisruptionBudget').spec.selector,
      of('NetworkPolicy').spec.podSelector,
      of('ServiceMonitor').spec.selector,
    ])
      expect(selector).toEqual({ matchLabels: labels });
    expect(of('Service').metadata.labels).toMatchObject(labels);
  });

  it('let a server do nothing but its work', () => {
    expect(pod.securityContext).toMatchObject({
      runAsNonRoot: true,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(pod.automountServiceAccountToken).toBe(false);
    expect(container.resources).toMatchObject({ requests: {}, limits: { memory: expect.any(String) } });
    const user = Number.parseInt(/^USER (.*)$/m.exec(readFile('deploy/Dockerfile'))?.[1] ?? '', 10);
    expect(pod.securityContext).toMatchObject({ runAsUser: user, fsGroup: user });
    for (const { name, readOnly } of container.volumeMounts)
      expect(readOnly === true || name === 'data').toBe(true);
  });

  it('ask a server whether it lives and whether it is ready, where and as it listens', () => {
    const [port] = container.ports;
    expect(port?.containerPort).toBe(config.port);
    const scheme = config.tls ? 'HTTPS' : 'HTTP';
    expect(container.livenessProbe.httpGet).toEqual({ path: '/livez', port: port?.name, scheme });
    expect(container.readinessProbe.httpGet).toEqual({ path: '/readyz', port: port?.name, scheme });
    expect(of('Service').spec.ports).toMatchObject([{ name: port?.name, targetPort: port?.name }]);
    expect(of('NetworkPolicy').spec.ingress).toMatchObject([{ ports: [{ port: port?.name }] }]);
    expect(of('NetworkPolicy').spec.policyTypes).toEqual(['Ingress', 'Egress']);
  });

  it('keep one server up through upgrades, drained nodes and ends', () => {
    expect(deployment.replicas).toBeGreaterThan(1);
    expect(deployment.strategy.rollingUpdate.maxUnavailable).toBe(0);
    expect(of('PodDisruptionBudget').spec.maxUnavailable).toBeLessThan(deployment.replicas);
    const [command, seconds] = container.lifecycle.preStop.exec.command;
    expect(command).toBe('sleep');
    const needed = Number(seconds) + config.drainMs / 1000;
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(needed);
  });

  it('give it a configuration that it takes, and a store that several can share', () => {
    expect(config).toMatchObject({ host: '0.0.0.0', store: STORE, isInsecure: false });
    expect(JSON.parse(json)).not.toHaveProperty('store');
    const env = Object.fromEntries(
      container.env.map((one) => [one.name, one.value ?? one.valueFrom?.secretKeyRef.name]),
    );
    expect(env).toEqual({ KAZAHANA_CONFIG: '/etc/kazahana/config.json', KAZAHANA_STORE: 'kazahana-store' });
    expect(config.tokens.every(({ scopes }) => scopes.length > 0)).toBe(true);
  });

  it('mount every file that the configuration speaks of, and say in the document how to make the secrets', () => {
    const mounts = container.volumeMounts.map(({ mountPath }) => mountPath);
    const paths = [...json.matchAll(/"(?<path>\/[^"]+)"/g)].map(({ groups }) => groups?.path ?? '');
    expect(paths.length).toBeGreaterThan(3);
    for (const path of [...paths, '/etc/kazahana/config.json'])
      expect(
        mounts.some((mount) => path.startsWith(`${mount}/`)),
        path,
      ).toBe(true);
    expect(pod.volumes.map(({ name }) => name).sort()).toEqual(
      container.volumeMounts.map(({ name }) => name).sort(),
    );
    expect(pod.volumes.find(({ configMap }) => configMap)?.configMap?.name).toBe(
      of('ConfigMap').metadata.name,
    );
    for (const { secret } of pod.volumes)
      if (secret) expect(page).toContain(`create secret generic ${secret.secretName} `);
    const tokens = paths.filter((path) => path.includes('/tokens/')).map((path) => path.split('/').at(-1));
    expect(page).toContain(`for name in ${tokens.join(' ')};`);
    for (const token of tokens) expect(page).toContain(`--from-file=${token}`);
  });

  it('let Prometheus in with a token that may observe', () => {
    const [endpoint] = of('ServiceMonitor').spec.endpoints;
    expect(endpoint).toMatchObject({ port: container.ports[0]?.name, path: '/metrics', scheme: 'https' });
    const key = endpoint?.authorization.credentials.key;
    expect(config.tokens.find(({ name }) => name === key)?.scopes).toEqual(['observe']);
  });
});

describe('the StatefulSet of docs/fixed-machine-id.md', () => {
  const [program, manifest] = findSnippets('docs/fixed-machine-id.md', readFile('docs/fixed-machine-id.md'));

  it('gives its pods the name from which the program takes the machine ID', () => {
    const { kind, spec } = parse(manifest?.code ?? '', { version: '1.1' }) as Manifest;
    expect(kind).toBe('StatefulSet');
    expect(spec.selector).toEqual({ matchLabels: spec.template.metadata.labels });
    const [variable] = spec.template.spec.containers[0]?.env ?? [];
    expect(variable).toMatchObject({ valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } });
    expect(program?.code).toContain(`process.env.${variable?.name}`);
  });
});
