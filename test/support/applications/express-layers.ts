import type { INestApplication } from '@nestjs/common';

/** What Express keeps of a middleware or a route. */
interface Layer {
  readonly name: string;
  match(path: string): boolean;
}

/** What Express asks of a request that goes from the endpoint's middleware straight to its route. */
export const WAY_TO_THE_EDGE = ['<anonymous>', 'edge'];

/** Notes, from now on, the middlewares and routes that Express asks about requests, by their names. */
export function watchLayers(app: INestApplication): string[] {
  const asked: string[] = [];
  const { router } = app.getHttpAdapter().getInstance() as { router: { readonly stack: readonly Layer[] } };
  for (const layer of router.stack) {
    const match = layer.match.bind(layer);
    layer.match = (path) => {
      asked.push(layer.name);
      return match(path);
    };
  }
  return asked;
}
