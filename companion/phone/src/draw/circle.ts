/** Places on a round picture: degrees clockwise from the top, and how far out, the rim at 1. */
export const R = 100;

export const at = (degrees: number, reach: number): [number, number] => {
  const a = (degrees * Math.PI) / 180;
  return [reach * R * Math.sin(a), -reach * R * Math.cos(a)];
};

export const xy = (degrees: number, reach: number): string =>
  at(degrees, reach)
    .map((n) => n.toFixed(2))
    .join(" ");
