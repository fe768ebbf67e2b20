// The address as a signal: it follows the browser's, and changes it.
import { createSignal } from 'solid-js';
import { type Address, readAddress, writeAddress } from './address.js';

const [address, setAddress] = createSignal<Address>(readAddress(location.hash));

export { address };

export function followAddress(): void {
  addEventListener('popstate', () => setAddress(readAddress(location.hash)));
}

/** Where a link to the address leads. */
export const linkTo = (to: Address): string => location.href.replace(/#.*$/, '') + writeAddress(to);

/** Goes there; the browser's Back leads back here. */
export function go(to: Address): void {
  if (writeAddress(to) !== writeAddress(address())) history.pushState(null, '', writeAddress(to));
  setAddress(to);
}

/** Writes down what is shown now, without a step for Back. Browsers refuse too many of these in a short time. */
export function note(to: Address): void {
  setAddress(to);
  try {
    history.replaceState(null, '', writeAddress(to));
  } catch {
    // The next one will be written.
  }
}
