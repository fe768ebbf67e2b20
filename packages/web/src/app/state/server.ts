// Whether a lease server served this page, and the token to ask it with. The token lives in this variable and nowhere
// else: no storage, no link.
let token = '';

export function isServed(): boolean {
  return document.querySelector('meta[name="kazahana-server"]')?.getAttribute('content') === 'here';
}

export function useToken(given: string): void {
  token = given;
}

export function askHeaders(): Record<string, string> {
  return token === '' ? {} : { authorization: `Bearer ${token}` };
}
