import 'reflect-metadata';
import type { SkillOptions, SkillSource } from '../settings/extensions/skills-options.js';
import { SKILL_METADATA } from '../settings/mcp.constants.js';
import { getDecoratedMethod } from './get-decorated-method.js';

/** The places for `@Skill()`: a method, a class with a method `contents`, or any class if `directory` is set. */
export interface SkillDecorator {
  (target: object, name: string | symbol, descriptor: PropertyDescriptor): void;
  (target: new (...dependencies: never[]) => SkillSource | object): void;
}

/**
 * Makes a method, or a class, a skill: instructions for a model with the files that belong to them.
 *
 * The method returns the instructions as Markdown, or a `SkillContents` with files beside them. The method is called
 * once, when the server starts. With `dynamic`, it is called for each caller that reads the skill. A class has a method
 * `contents` for this, or serves a folder that has a `SKILL.md`.
 *
 * @throws {TypeError} if it is on a static method or a property
 * @example
 * class ReportSkills { @Skill({ description: 'Write the weekly report. Use when somebody asks how the week went.' })
 *   weeklyReport() {
 *     return '1. Call the tool `report` …';
 *   }
 * }
 *
 * @see MCP extension skills
 */
export function Skill(options: SkillOptions = {}): SkillDecorator {
  return (target: object, name?: string | symbol, descriptor?: PropertyDescriptor): void => {
    const isOfClass = name === undefined && typeof target === 'function';
    const place = isOfClass ? target : getDecoratedMethod('@Skill()', target, name, descriptor);
    Reflect.defineMetadata(SKILL_METADATA, options, place);
  };
}
