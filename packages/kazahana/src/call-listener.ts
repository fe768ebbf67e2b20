// How the library calls functions of the program that uses it.

/** Tells a listener. Its mistake is the program's to hear of, and must not cost it an ID or a lease. */
export function callListener<Event>(listener: (event: Event) => void, event: Event): void {
  try {
    listener(event);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
