/** The icons as paths of 24 by 24. */
export const ICON_PATHS = {
  warning: 'M12 3.5 22 20.5H2zM12 10v4.5M12 17.4v.2',
  done: 'M5 12.5l4.5 4.5L19 7.5',
  wait: 'M12 6v6l4 2.5M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z',
  stop: 'M7 7l10 10M17 7 7 17',
  wallet:
    'M4 7.5h15a1.5 1.5 0 0 1 1.5 1.5v9A1.5 1.5 0 0 1 19 19.5H5A1.5 1.5 0 0 1 3.5 18V6.5A2 2 0 0 1 5.5 4.5H17M16.5 13.5h.2',
  link: 'M9.5 14.5l5-5M10.5 7l1.8-1.8a4 4 0 0 1 5.6 5.6L16 12.6M13.5 17l-1.8 1.8a4 4 0 0 1-5.6-5.6L8 11.4',
} as const;
export type IconName = keyof typeof ICON_PATHS;
