// The built page on a plain file server, for all tests of a file; the server ends with them.
import { afterAll, beforeAll } from 'vitest';
import { type StaticServer, serveStatically } from './static-server.ts';

export function servedPage(): { readonly url: string } {
  let server: StaticServer | undefined;
  beforeAll(async () => {
    server = await serveStatically();
  });
  afterAll(async () => {
    await server?.stop();
  });
  return {
    get url() {
      if (!server) throw new Error('the page is served when the tests run, not before');
      return server.url;
    },
  };
}
