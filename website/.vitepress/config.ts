// The site over docs/: the same files that a reader of the repository opens. `contents.ts` is its order.
import { dirname, join, posix, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type DefaultTheme, defineConfig } from 'vitepress';
import { apiSidebar } from '../api.ts';
import { CHAPTERS, type Page, REFERENCE } from '../contents.ts';
import { openFromFolder, writeFolderScripts } from '../from-a-folder/build.ts';
import { slugify } from '../headings.ts';
import { PAGES } from '../pages.ts';
import { SEARCH } from '../search-options.ts';

const website = fileURLToPath(new URL('..', import.meta.url));

const REPOSITORY = 'https://github.com/kazahana/kazahana';

/** A link to anything but a page of docs/ is one to a file of the repository. */
function outside(href: string, page: string): string | undefined {
  if (/^[a-z]+:|^#|^\//i.test(href)) return undefined;
  const target = posix.normalize(posix.join('docs', dirname(page), href));
  const isPage = target.startsWith('docs/') && /\.md(#.*)?$/.test(target);
  return isPage ? undefined : `${REPOSITORY}/blob/main/${target}`;
}

const inSidebar = ({ title, path, parts }: Page): DefaultTheme.SidebarItem => ({
  text: title,
  link: `/${path}`,
  ...(parts.length > 0 ? { items: parts.map(inSidebar) } : {}),
});

export default defineConfig({
  title: 'kazahana',
  description: 'Makes identifiers, reads them, and keeps them unique without asking a database for each one.',
  lang: 'en',
  srcDir: PAGES,
  outDir: join(website, 'dist'),
  cacheDir: join(website, '.vitepress', 'cache'),
  cleanUrls: false,
  lastUpdated: false,
  // The playground is copied into the built site, beside its pages.
  ignoreDeadLinks: [/\/playground\//],
  head: [
    [
      'link',
      {
        rel: 'icon',
        href: 'data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 16 16%22%3E%3Cpath d=%22M8 1v14M2 4.5l12 7M14 4.5l-12 7%22 stroke=%22%230b5cad%22 stroke-width=%221.8%22 stroke-linecap=%22round%22/%3E%3C/svg%3E',
      },
    ],
  ],
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    anchor: { slugify },
    config(md) {
      const open =
        md.renderer.rules.link_open ??
        ((tokens, index, options, _env, self) => self.renderToken(tokens, index, options));
      md.renderer.rules.link_open = (tokens, index, options, env, self) => {
        const token = tokens[index];
        const href = token?.attrGet('href');
        const target = href && outside(href, relative(PAGES, env.path));
        if (token && target) token.attrSet('href', target);
        return open(tokens, index, options, env, self);
      };
    },
  },
  transformHtml: (html, _file, { page, siteData }) => openFromFolder(html, page, siteData.base),
  buildEnd: ({ outDir }) => writeFolderScripts(outDir),
  themeConfig: {
    nav: [
      { text: 'Start', link: '/start-library' },
      { text: 'Which ID?', link: '/which-id' },
      { text: 'API', link: '/api/' },
      { text: 'Playground', link: '/playground/', target: '_self' },
    ],
    sidebar: {
      '/api/': apiSidebar(),
      '/': CHAPTERS.map(({ title, pages }) => {
        const items = pages.map(inSidebar);
        // A chapter of one page is a link.
        if (items.length === 1) return { ...items[0], text: title };
        return {
          text: title,
          items: title === REFERENCE ? [{ text: 'API', link: '/api/' }, ...items] : items,
        };
      }),
    },
    outline: [2, 3],
    search: {
      provider: 'local',
      options: {
        // The box opens empty: the results of the query before would stand there until the new ones are found.
        disableQueryPersistence: true,
        miniSearch: SEARCH,
      },
    },
    socialLinks: [{ icon: 'github', link: REPOSITORY }],
    docFooter: { prev: 'Before', next: 'Next' },
    // The name of the link is what it shows.
    notFound: { linkText: 'Take me home', linkLabel: 'Take me home' },
  },
});
