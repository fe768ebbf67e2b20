#!/usr/bin/env node
// The command `kazahana`.
import { enableCompileCache } from 'node:module';

// Compiled once for all runs: a command that makes one UUID should cost little more than starting Node.
enableCompileCache();
await import('./main.js');
