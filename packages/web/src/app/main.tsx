// Starts the page: the reader's language first, then what the address asks for, then the recogniser.
import './style/base.css';
import './style/bar.css';
import './style/controls.css';
import './style/tables.css';
import './style/picture.css';
import './style/id.css';
import './style/tools.css';
import { createEffect, createRoot } from 'solid-js';
import { render } from 'solid-js/web';
import { App } from './app.jsx';
import { speak } from './i18n/index.js';
import { listenToKeys } from './keys.js';
import { runClock } from './state/clock.js';
import { environment } from './state/environment.js';
import { followOtherTabs } from './state/history-state.js';
import { address, followAddress } from './state/location.js';
import { loadRecogniser } from './state/recogniser.js';
import { settings } from './state/settings.js';
import { followSubject } from './state/subject.js';

const root = document.querySelector('#page');
document.documentElement.dataset.theme = settings().theme;
await speak(settings().language);
createRoot(() => createEffect(() => followSubject(address())));
if (root) render(() => <App />, root);
listenToKeys();
followAddress();
followOtherTabs();
void runClock();
// After the first paint: the recogniser knows every format, and is larger than the rest.
void environment.sleep(0).then(loadRecogniser);
// Not in development, where files change under it; and not where browsers have none, as without TLS.
if (import.meta.env.PROD) void navigator.serviceWorker?.register('./sw.js').catch(() => {});
