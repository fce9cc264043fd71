import type { Ajv, Options } from 'ajv';
import type addFormats = require('ajv-formats');
import type ClassTransformer = require('class-transformer');
import type ClassValidator = require('class-validator');
import type { MetadataStorage } from 'class-transformer/types/MetadataStorage.js';

type Optional<Package> = { readonly found: Package } | { readonly problem: unknown };

declare const packages: {
  loadAjv(): new (options: Options) => Ajv;
  loadAjv2020(): new (options: Options) => Ajv;
  loadFormats(): typeof addFormats.default;
  loadValidator(): Optional<typeof ClassValidator>;
  loadTransformer(): Optional<typeof ClassTransformer>;
  loadDecorations(): Optional<(target: object, name: string) => unknown>;
  readonly STORAGES: readonly (() => MetadataStorage | undefined)[];
};

export = packages;
