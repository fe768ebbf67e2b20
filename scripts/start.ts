// `npm start`: builds, then does the main job. Until the lease server exists, that is a tour of the library.
import { build } from './build.ts';

await build();
await import('../examples/tour.ts');
