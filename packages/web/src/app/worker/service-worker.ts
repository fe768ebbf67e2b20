// Opens the page again when its server is away: keeps the files of one build, and nothing else that is fetched. A newer
// build waits until the pages of the older one are closed, so that no page loses the files it has yet to load.
interface Lifetime extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface FetchLike extends Event {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}
interface WorkerScope {
  readonly registration: { readonly scope: string };
  readonly clients: { claim(): Promise<void> };
  addEventListener(name: 'install' | 'activate', listener: (event: Lifetime) => void): void;
  addEventListener(name: 'fetch', listener: (event: FetchLike) => void): void;
}

const scope = globalThis as unknown as WorkerScope;
// The build puts the names of its files here.
const { version, files } = JSON.parse('__PRECACHE__') as { version: string; files: readonly string[] };

const PREFIX = 'kazahana-page-';
const name = `${PREFIX}${version}`;
const urls = new Set(files.map((file) => new URL(file, scope.registration.scope).href));

async function keepFiles(): Promise<void> {
  const cache = await caches.open(name);
  await cache.addAll([...urls].map((url) => new Request(url, { cache: 'reload' })));
}

async function forgetOlder(): Promise<void> {
  const names = await caches.keys();
  const older = names.filter((other) => other.startsWith(PREFIX) && other !== name);
  await Promise.all(older.map((other) => caches.delete(other)));
  await scope.clients.claim();
}

scope.addEventListener('install', (event) => event.waitUntil(keepFiles()));
scope.addEventListener('activate', (event) => event.waitUntil(forgetOlder()));
scope.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = request.url.replace(/[?#].*$/, '');
  if (request.method !== 'GET' || !urls.has(url)) return;
  event.respondWith(
    caches
      .open(name)
      .then((cache) => cache.match(url))
      .then((kept) => kept ?? fetch(request)),
  );
});
