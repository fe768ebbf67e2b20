// The command as a build makes it: a compiler alone leaves the files that start it as they were.
import { bundleCli } from '../../scripts/bundle-cli.ts';

export default bundleCli;
