// Starts the page: the reader's language first, then everything else.
import './style/base.css';
import './style/controls.css';
import './style/rooms.css';
import './style/picture.css';
import './style/tools.css';
import { render } from 'solid-js/web';
import { App } from './app.jsx';
import { speak } from './i18n/index.js';
import { listenToKeys } from './keys.js';
import { runClock } from './state/clock.js';
import { followOtherTabs } from './state/history-state.js';
import { followLinks } from './state/opened.js';
import { settings } from './state/settings.js';

const root = document.querySelector('#page');
document.documentElement.dataset.theme = settings().theme;
await speak(settings().language);
if (root) render(() => <App />, root);
listenToKeys();
followLinks();
followOtherTabs();
void runClock();
// Not in development, where files change under it; and not where browsers have none, as without TLS.
if (import.meta.env.PROD) void navigator.serviceWorker?.register('./sw.js').catch(() => {});
