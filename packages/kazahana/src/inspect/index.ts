// kazahana/inspect: what is this ID? For the CLI, the page, and whoever builds such a tool.
export { type Diagnosis, diagnoseId } from './diagnose.js';
export { type FoundId, findIds } from './find.js';
export { type PresetName, presets } from './presets.js';
export { type Reading, type ReadingName, type ReadOptions, readId } from './reading.js';
export { type RelativeTime, relativeTime } from './relative-time.js';
