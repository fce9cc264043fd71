import type { ToolEntry } from '../../catalogue/entries.js';
import type { Unplaced } from '../../catalogue/registry.js';
import type { AccessOptions, ToolOptions } from '../../settings/handler-options.interface.js';

/** Who may read a page that tools name. */
export interface PageAccess extends Pick<AccessOptions, 'isPublic'>, Pick<ToolOptions, 'visible'> {
  /** Those of the tools that do not depend on a call: a page is read without one. */
  readonly requiredScopes?: readonly string[];
}

type Linked = Pick<Unplaced<ToolEntry>, 'access' | 'options'>;

/** Adds whoever has a tool to those who may read its page. */
export function widenAccess(before: PageAccess | 'nobody', { access, options }: Linked): PageAccess {
  const { visible } = options;
  const { isPublic = false, scopes = [] } = access ?? {};
  if (before === 'nobody') return compose({ isPublic, requiredScopes: scopes, visible });
  const shared = (before.requiredScopes ?? []).filter((scope) => scopes.includes(scope));
  const sees = before.visible;
  return compose({
    isPublic: isPublic || before.isPublic === true,
    requiredScopes: shared,
    visible:
      sees && visible && sees !== visible
        ? async (context) => (await sees(context)) || visible(context)
        : sees && visible,
  });
}

/** Tells whether the same callers may read. */
export function isSameAccess(one: PageAccess, other: PageAccess | 'nobody'): boolean {
  if (other === 'nobody') return false;
  const { requiredScopes = [], isPublic = false, visible } = one;
  const { requiredScopes: scopes = [] } = other;
  return (
    isPublic === (other.isPublic ?? false) &&
    visible === other.visible &&
    requiredScopes.length === scopes.length &&
    requiredScopes.every((scope) => scopes.includes(scope))
  );
}

function compose({
  isPublic,
  requiredScopes,
  visible,
}: Required<Pick<PageAccess, 'isPublic' | 'requiredScopes'>> & {
  readonly visible: PageAccess['visible'] | undefined;
}): PageAccess {
  return {
    ...(isPublic && { isPublic }),
    ...(!isPublic && requiredScopes.length > 0 && { requiredScopes }),
    ...(visible && { visible }),
  };
}
