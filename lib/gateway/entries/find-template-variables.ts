import { UriTemplate } from '../../index.js';

/** Finds a URI template's variables; returns none if the template is invalid. */
export function findTemplateVariables(template: string): readonly string[] {
  try {
    return new UriTemplate(template).variables;
  } catch {
    return [];
  }
}
