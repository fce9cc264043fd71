/** Gives options with which Node finds a package nowhere, though it is installed. */
export function withoutPackage(packageName: string): readonly string[] {
  const hook = `export async function resolve(name, context, next) {
    if (name !== ${JSON.stringify(packageName)}) return next(name, context);
    throw Object.assign(new Error('none'), { code: 'ERR_MODULE_NOT_FOUND' });
  }`;
  const loader = `import { register } from 'node:module'; register(${JSON.stringify(toUrl(hook))});`;
  return ['--import', toUrl(loader)];
}

function toUrl(source: string): string {
  return `data:text/javascript,${encodeURIComponent(source)}`;
}
