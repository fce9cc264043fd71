/** Something that a page loads or navigates to, or may. */
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
  /** As written in the page, possibly relative. */
  readonly url: string;
  /** What loads it, as written in the page, such as `<script src>`. */
  readonly by: string;
  /** Whether it is loaded as soon as the page is shown; scripts may never run. */
  readonly isCertain: boolean;
}
