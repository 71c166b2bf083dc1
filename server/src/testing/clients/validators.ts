import { join } from 'node:path';
import { call, goTool, OPENAPI, pythonTools, skipped } from './tools.js';

const GO_VALIDATOR = 'github.com/pb33f/libopenapi-validator/cmd/validate@v0.16.2';

/**
 * Has a validator that is not ours read the API description: what it says, throws when it refuses the description;
 * undefined, told on the terminal, where this machine has no such tool.
 */
type Validate = (mayInstall: boolean, description?: string) => Promise<string | undefined>;

const python: Validate = async (mayInstall, description = OPENAPI) => {
  const tools = await pythonTools(mayInstall);
  if ('missing' in tools) return skipped('no validator of Python read the description', tools.missing);
  return call(join(tools.bin, 'openapi-spec-validator'), [description]);
};

const go: Validate = async (mayInstall, description = OPENAPI) => {
  const tool = await goTool(GO_VALIDATOR, mayInstall);
  if ('missing' in tool) return skipped('no validator of Go read the description', tool.missing);
  return call(tool.program, [description]);
};

export const VALIDATORS: Readonly<Record<string, Validate>> = { Python: python, Go: go };
