import type { Type } from '@nestjs/common';
import type { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { explainError } from '../../../../core/log/describe-failure.js';
import { findClass } from '../../../catalog/discovery/providers.js';
import type { ServerAssignments } from '../../../catalog/discovery/server-assignments.js';
import type { InstanceWrapper } from '../../../catalog/invocation/nest-contexts.js';
import { readAccessMetadata } from '../../../decorators/access.decorators.js';
import {
  assertSkillOptions,
  CONTENTS_METHOD,
  type SkillOptions,
} from '../../../settings/extensions/skills-options.js';
import type { AccessOptions } from '../../../settings/handler-options.interface.js';
import { SKILL_METADATA, type ServerIdentity } from '../../../settings/mcp.constants.js';
import { SkillError } from '../skill.error.js';

/** A method that returns a skill's contents. */
export type ContentsMethod = (...parameters: unknown[]) => unknown;

/** A method or a class that is a skill. */
export interface DeclaredSkill {
  /** The class and the method, for error messages. */
  readonly place: string;
  readonly options: SkillOptions;
  readonly access: AccessOptions;
  readonly host: InstanceWrapper;
  readonly classRef: Type;
  /** The method that returns the contents; absent for a class with a folder. */
  readonly methodName?: string;
  readonly method?: ContentsMethod;
  /** The name of the method or the class, used if the `name` option is not set. */
  readonly ownName: string;
}

/** Finds one server's skills among the application's providers and controllers. */
export class SkillExplorer {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly assignments: ServerAssignments,
    private readonly identity: ServerIdentity,
  ) {}

  /** @throws {SkillError} if a skill's declaration is invalid */
  explore(): readonly DeclaredSkill[] {
    const hosts = [...this.discovery.getProviders(), ...this.discovery.getControllers()];
    return hosts.filter(({ isAlias }) => !isAlias).flatMap((host) => this.#exploreHost(host));
  }

  #exploreHost(host: InstanceWrapper): readonly DeclaredSkill[] {
    const classRef = findClass(host);
    const prototype: object | undefined = classRef?.prototype;
    if (classRef === undefined || prototype === undefined) return [];
    const ofClass: SkillOptions | undefined = Reflect.getOwnMetadata(SKILL_METADATA, classRef);
    const ofMethods = this.scanner.getAllMethodNames(prototype).flatMap((name) => {
      const method: unknown = Reflect.get(prototype, name);
      const options: SkillOptions | undefined =
        typeof method === 'function' ? Reflect.getMetadata(SKILL_METADATA, method) : undefined;
      return options === undefined ? [] : [{ name, options, method: method as ContentsMethod }];
    });
    if (ofClass === undefined && ofMethods.length === 0) return [];
    const { server } = this.identity;
    const belongs = ({ options: { tags } }: DeclaredSkill): boolean =>
      this.assignments.belongs({ host, classRef, className: classRef.name }, server, tags);
    const declared = ofMethods.map(({ name, options, method }) =>
      describeMethod({ host, classRef, options, methodName: name, method }),
    );
    const all = ofClass === undefined ? declared : [describeClass(host, classRef, ofClass), ...declared];
    return all.filter(belongs);
  }
}

function describeMethod(
  parts: Pick<DeclaredSkill, 'host' | 'classRef' | 'options'> &
    Required<Pick<DeclaredSkill, 'methodName' | 'method'>>,
): DeclaredSkill {
  const { classRef, methodName, method, options } = parts;
  const place = `${classRef.name}.${methodName}`;
  assertOptions(place, options);
  if (options.directory !== undefined) {
    throw new SkillError(
      place,
      '"directory" is for classes: put @Skill() on the class, and remove the method',
    );
  }
  return { ...parts, place, ownName: methodName, access: readAccessMetadata(classRef, method) };
}

function describeClass(host: InstanceWrapper, classRef: Type, options: SkillOptions): DeclaredSkill {
  const place = classRef.name;
  assertOptions(place, options);
  const method: unknown = Reflect.get(classRef.prototype as object, CONTENTS_METHOD);
  const ownName = classRef.name.replace(/Skill$/, '');
  const parts = { place, options, host, classRef, ownName };
  if (options.directory !== undefined) {
    // A function without metadata makes lookups read only the class metadata.
    return { ...parts, access: readAccessMetadata(classRef, () => undefined) };
  }
  if (typeof method !== 'function') {
    throw new SkillError(place, 'the class needs a method "contents()", or the option "directory"');
  }
  return {
    ...parts,
    access: readAccessMetadata(classRef, method),
    methodName: CONTENTS_METHOD,
    method: method as ContentsMethod,
  };
}

function assertOptions(place: string, options: unknown): void {
  try {
    assertSkillOptions(options);
  } catch (error) {
    throw new SkillError(place, explainError(error), { cause: error });
  }
}
