import type { DtoClass } from '../compiled-schema.interface.js';
import { SchemaError } from '../schema.error.js';
import { loadDtoLibraries } from './dto-libraries.js';

/** Tells whether a class has decorators of class-validator, which nobody has if that is not installed. */
export function hasValidators(source: DtoClass): boolean {
  try {
    const storage = loadDtoLibraries(source, 'input').validator.getMetadataStorage();
    return storage.getTargetValidationMetadatas(source, '', false, false).length > 0;
  } catch (error) {
    if (error instanceof SchemaError) return false;
    throw error;
  }
}
