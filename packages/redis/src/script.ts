// A script and the name that Redis knows it by once it has run.
import { createHash } from 'node:crypto';

export class Script {
  readonly sha: string;

  constructor(readonly text: string) {
    this.sha = createHash('sha1').update(text).digest('hex');
  }
}
