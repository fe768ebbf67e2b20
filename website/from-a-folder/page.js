// Runs on a page of the site that was opened as a file: leads links to files, and does theme, menu and search.
/* global siteSearch */
(() => {
  /** Where the site was to be served, and the way from this page up to its folder. */
  const { base, up } = document.currentScript.dataset;

  const file = (address) => {
    const [path, hash] = address.slice(base.length).split('#');
    const name = path === '' || path.endsWith('/') ? `${path}index.html` : path;
    return up + name + (hash === undefined ? '' : `#${hash}`);
  };

  function leadLinksToFiles() {
    for (const link of document.querySelectorAll('a[href]')) {
      const address = link.getAttribute('href');
      if (!address.startsWith(base)) continue;
      // The playground is made of modules: it needs a server.
      if (address.startsWith(`${base}playground/`)) link.remove();
      else link.setAttribute('href', file(address));
    }
  }

  function switchThemes() {
    const { classList } = document.documentElement;
    for (const button of document.querySelectorAll('.VPSwitchAppearance')) {
      button.setAttribute('aria-label', 'Dark theme');
      button.setAttribute('aria-checked', String(classList.contains('dark')));
      button.addEventListener('click', () => {
        const isDark = classList.toggle('dark');
        button.setAttribute('aria-checked', String(isDark));
        localStorage.setItem('vitepress-theme-appearance', isDark ? 'dark' : 'light');
      });
    }
  }

  /** On a narrow screen, both buttons open the table of contents. */
  function openMenu() {
    const contents = document.querySelector('.VPSidebar');
    for (const button of document.querySelectorAll('.VPNavBarHamburger, .VPLocalNav .menu')) {
      if (contents === null) button.remove();
      button.addEventListener('click', (event) => {
        event.stopPropagation();
        const isOpen = contents.classList.toggle('open');
        button.setAttribute('aria-expanded', String(isOpen));
      });
    }
    document.addEventListener('click', ({ target }) => {
      if (contents !== null && !contents.contains(target)) contents.classList.remove('open');
    });
  }

  const loadScript = (name) =>
    new Promise((resolve, reject) => {
      const script = document.createElement('script');
      Object.assign(script, { src: `${up}from-a-folder/${name}`, onload: resolve, onerror: reject });
      document.head.append(script);
    });

  function search() {
    const dialog = document.createElement('dialog');
    dialog.className = 'FolderSearch';
    dialog.innerHTML = '<input type="search" aria-label="Search" placeholder="Search"><ul></ul>';
    document.body.append(dialog);
    const [input, list] = dialog.children;
    let loaded;

    async function show() {
      loaded ??= loadScript('minisearch.js').then(() => loadScript('search.js'));
      await loaded;
      const found = siteSearch.search(input.value).slice(0, 16);
      const items = found.map(({ id, titles, title }) => {
        const link = document.createElement('a');
        link.href = file(id);
        link.textContent = [...titles, title].join(' › ');
        link.addEventListener('click', () => dialog.close());
        const item = document.createElement('li');
        item.append(link);
        return item;
      });
      list.replaceChildren(...items);
    }

    const open = () => {
      input.value = '';
      list.replaceChildren();
      dialog.showModal();
    };
    input.addEventListener('input', show);
    input.addEventListener('keydown', ({ key }) => {
      if (key === 'Enter') list.querySelector('a')?.click();
    });
    for (const button of document.querySelectorAll('.DocSearch-Button'))
      button.addEventListener('click', open);
    document.addEventListener('keydown', (event) => {
      const isShortcut = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k';
      if (!isShortcut || dialog.open) return;
      event.preventDefault();
      open();
    });
  }

  function begin() {
    leadLinksToFiles();
    switchThemes();
    openMenu();
    search();
  }

  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', begin);
  else begin();
})();
