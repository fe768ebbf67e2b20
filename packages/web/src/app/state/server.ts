// Whether a lease server served this page, where it is, and the token for it. The token lives in this variable and nowhere
// else: no storage, no link.
let token = '';

export function isServed(): boolean {
  return document.querySelector('meta[name="kazahana-server"]')?.getAttribute('content') === 'here';
}

/** The server's own address: the page stands at its root. Where there is no server, the one that `npm start` has. */
export function serverUrl(): string {
  return isServed() ? location.origin : 'http://127.0.0.1:7420';
}

export function useToken(given: string): void {
  token = given;
}

export const currentToken = (): string => token;

export function tokenHeaders(): Record<string, string> {
  return token === '' ? {} : { authorization: `Bearer ${token}` };
}
