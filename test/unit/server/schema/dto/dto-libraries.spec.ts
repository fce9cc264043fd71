import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { loadDtoLibraries } from '../../../../../lib/server/schema/dto/dto-libraries.js';
import { SchemaError } from '../../../../../lib/server/schema/schema.error.js';

class TicketDto {}

describe('loadDtoLibraries', () => {
  let emptyFolder: string;

  beforeAll(async () => {
    emptyFolder = await mkdtemp(join(tmpdir(), 'no-packages-'));
  });
  afterAll(() => rm(emptyFolder, { recursive: true }));

  it('loads the packages the application has, in the one copy it has (MOD-07)', async () => {
    const { validator, transformer } = loadDtoLibraries(TicketDto, 'input');
    expect(validator.getMetadataStorage()).toBe((await import('class-validator')).getMetadataStorage());
    expect(transformer.plainToInstance).toBe((await import('class-transformer')).plainToInstance);
  });

  it('names the packages to install where they are missing (MOD-07)', () => {
    const load = () => loadDtoLibraries(TicketDto, 'input', pathToFileURL(join(emptyFolder, 'index.js')));
    expect(load).toThrow(SchemaError);
    expect(load).toThrow(
      'The input schema is the DTO class "TicketDto", which needs two packages: run "npm install class-validator class-transformer"',
    );
  });
});
