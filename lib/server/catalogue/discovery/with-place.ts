import { CatalogueError, type HandlerPlace } from '../catalogue.error.js';

/** Puts the place of a handler in front of what is wrong with it. */
export function withPlace(place: HandlerPlace, act: () => void): void {
  try {
    act();
  } catch (error) {
    throw CatalogueError.at(place, error);
  }
}
