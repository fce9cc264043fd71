import type { ExportDeclaration, Project, SourceFile } from 'ts-morph';
import { EXPORTED_NAMES, THEIR_PACKAGE } from '../replacements/exported-names.js';
import type { TsMorph } from './load-ts-morph.js';

/** Traces a file's names to the other package, even through files that re-export them. */
export class Origins {
  readonly #resolved = new Map<string, SourceFile | undefined>();

  constructor(
    private readonly morph: TsMorph,
    private readonly project: Project,
  ) {}

  /** Checks whether a module is the other package, or a file inside it. */
  isTheirs(specifier: string | undefined): boolean {
    return specifier === THEIR_PACKAGE || specifier?.startsWith(`${THEIR_PACKAGE}/`) === true;
  }

  /** Finds the original name of a module's export in the other package. Returns `undefined` if it has a different origin. */
  find(file: SourceFile, specifier: string, name: string, seen = new Set<string>()): string | undefined {
    if (this.isTheirs(specifier)) return name;
    const target = this.#resolve(file, specifier);
    const key = `${target?.getFilePath() ?? ''}\n${name}`;
    if (target === undefined || seen.has(key)) return undefined;
    seen.add(key);
    for (const declaration of target.getExportDeclarations()) {
      const found = this.#findExported(target, declaration, name, seen);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #findExported(
    file: SourceFile,
    declaration: ExportDeclaration,
    name: string,
    seen: Set<string>,
  ): string | undefined {
    const specifier = declaration.getModuleSpecifierValue();
    const named = declaration.getNamedExports();
    const match = named.find((one) => (one.getAliasNode() ?? one.getNameNode()).getText() === name);
    if (match !== undefined) {
      if (specifier !== undefined) return this.find(file, specifier, match.getName(), seen);
      return this.#findImported(file, match.getName(), seen);
    }
    const isStar = named.length === 0 && declaration.getNamespaceExport() === undefined;
    if (!isStar || specifier === undefined) return undefined;
    // The package's files are not read, so the known exports decide whether it has the name.
    if (this.isTheirs(specifier)) return Object.hasOwn(EXPORTED_NAMES, name) ? name : undefined;
    return this.find(file, specifier, name, seen);
  }

  #findImported(file: SourceFile, local: string, seen: Set<string>): string | undefined {
    for (const declaration of file.getImportDeclarations()) {
      const found = declaration
        .getNamedImports()
        .find((one) => (one.getAliasNode() ?? one.getNameNode()).getText() === local);
      if (found !== undefined) {
        return this.find(file, declaration.getModuleSpecifierValue(), found.getName(), seen);
      }
    }
    return undefined;
  }

  #resolve(file: SourceFile, specifier: string): SourceFile | undefined {
    const key = `${file.getDirectoryPath()}\n${specifier}`;
    if (!this.#resolved.has(key)) this.#resolved.set(key, this.#find(file, specifier));
    return this.#resolved.get(key);
  }

  #find(file: SourceFile, specifier: string): SourceFile | undefined {
    const { resolvedModule } = this.morph.ts.resolveModuleName(
      specifier,
      file.getFilePath(),
      this.project.getCompilerOptions(),
      this.project.getModuleResolutionHost(),
    );
    return resolvedModule && this.project.getSourceFile(resolvedModule.resolvedFileName);
  }
}
