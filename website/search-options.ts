// How the search of the site reads words and orders what it finds. Each function stands alone: the site carries them as text.

export const SEARCH = {
  options: {
    // Rotate finds rotating, errors finds error: endings do not count.
    processTerm: (term: string) => {
      const word = term.toLowerCase();
      return word.length > 4 ? word.replace(/(?:ing|ed|es|e|s)$/, '') : word;
    },
    // Words, and beside them the names of settings, metrics and codes as a whole: KAZAHANA_STORE.
    tokenize: (text: string) => [...text.split(/[\s\p{P}]+/u), ...(text.match(/\w+_\w+/g) ?? [])],
  },
  // Guides before the reference, which has every word.
  searchOptions: { boostDocument: (id: string) => (id.includes('/api/') ? 0.2 : 1) },
};
