/** Something that a page loads or asks for, or may. */
export interface PageLoad {
  readonly kind:
    | 'script'
    | 'style'
    | 'image'
    | 'font'
    | 'media'
    | 'connection'
    | 'frame'
    | 'object'
    | 'base'
    | 'navigation';
  /** As the page has it: relative ones too. */
  readonly url: string;
  /** What loads it, as the page has it, such as `<script src>`. */
  readonly by: string;
  /** Whether it is loaded as soon as the page is shown; what a script has may never run. */
  readonly isCertain: boolean;
}
