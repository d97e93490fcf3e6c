// node --import this: writes the address of every module that is loaded, a line each, into the file LOADED_MODULES.
import { register } from 'node:module';

register('./hook.mjs', import.meta.url);
