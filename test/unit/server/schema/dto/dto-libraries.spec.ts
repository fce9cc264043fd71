import { describe, expect, it } from '@jest/globals';
import { Expose } from 'class-transformer';
import packages from '../../../../../lib/server/schema/packages-on-demand.cjs';
import {
  findDtoLibraries,
  loadDtoLibraries,
  type DtoPackages,
} from '../../../../../lib/server/schema/dto/dto-libraries.js';
import { SchemaError } from '../../../../../lib/server/schema/schema.error.js';

class TicketDto {
  @Expose({ name: 'name' })
  title!: string;
}

const find = (replaced: Partial<DtoPackages>) =>
  findDtoLibraries({ ...packages, ...replaced }, TicketDto, 'input');

const absent = () => ({
  problem: Object.assign(new Error('Cannot find module'), { code: 'MODULE_NOT_FOUND' }),
});

const MISSING =
  'The input schema is the DTO class "TicketDto", which needs two packages: run "npm install class-validator class-transformer"';

describe('loadDtoLibraries', () => {
  it('loads the packages the application has, in the one copy it has (MOD-07)', async () => {
    const { validator, transformer } = loadDtoLibraries(TicketDto, 'input');
    expect(validator.getMetadataStorage()).toBe((await import('class-validator')).getMetadataStorage());
    expect(transformer.plainToInstance).toBe((await import('class-transformer')).plainToInstance);
  });

  it.each(['loadValidator', 'loadTransformer'] as const)(
    'names the packages to install where "%s" finds none (MOD-07)',
    (load) => {
      expect(() => find({ [load]: absent })).toThrow(SchemaError);
      expect(() => find({ [load]: absent })).toThrow(MISSING);
    },
  );

  it('takes what a bundle says that was made without a package for its absence (NEST-07)', () => {
    const problem = new Error('Dynamic require of "class-validator" is not supported');
    expect(() => find({ loadValidator: () => ({ problem }) })).toThrow(MISSING);
  });

  it('says what is wrong with a package that is there and does not load (MOD-07)', () => {
    const problem = new SyntaxError('Unexpected token');
    expect(() => find({ loadTransformer: () => ({ problem }) })).toThrow(problem);
  });

  it('does without the package that only decorates schemas (MOD-07)', () => {
    expect(find({ loadDecorations: absent }).findDecoration(TicketDto, 'title')).toBeUndefined();
  });

  it('finds the storage that decorators write to, whichever build of the package a bundle holds (NEST-07)', () => {
    const [load] = packages.STORAGES;
    const { MetadataStorage } = { MetadataStorage: load!()!.constructor as new () => object };
    const others = [() => undefined, () => new MetadataStorage()] as DtoPackages['STORAGES'];
    const { transformations } = find({ STORAGES: [...others, load!] });
    expect(transformations.findExposeMetadata(TicketDto, 'title')?.options.name).toBe('name');
  });

  it('fails where no storage is the one that decorators write to (NEST-07)', () => {
    expect(() => find({ STORAGES: [] })).toThrow('"class-transformer" stores its metadata');
  });
});
