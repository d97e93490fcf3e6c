import type { IconName } from './icon-paths.js';

export interface EndingWords {
  readonly tone: 'good' | 'bad' | 'busy';
  readonly icon: IconName;
  readonly title: string;
  readonly text: string;
}

export const words = (
  tone: EndingWords['tone'],
  icon: IconName,
  title: string,
  text: string,
): EndingWords => ({
  tone,
  icon,
  title,
  text,
});
