// heat-map.js: draws how full the blocks of a filter are, from the first on,
// line by line.  A large filter is drawn by groups of neighbouring blocks.
//
// The colours span the fills that there are, from the least to the most.
//
// One of the groups is selected, by a click or with the arrow keys, and said
// in words.  To assistive technology the map is a slider over the groups.
import { colour, element } from './dom.js';
import { count, counted, percent } from './numbers.js';

/** At most so many groups are drawn: more are smaller than a finger or a pixel. */
export const MAX_GROUPS = 4096;

// Sides of a group's square, in pixels.
const MAX_SQUARE = 36;
const MIN_SQUARE = 4;

// Height over width of all squares together, if there are many.
const SHAPE = 0.3;

const SCALE_STEPS = 64;

export class HeatMap {
    #onSelect;
    #map = element('div', 'heat');
    #canvas = element('canvas', '');
    #mark = element('div', 'heat-mark');
    #text = element('p', 'heat-text');
    #scale = element('canvas', '');
    #least = element('span', '');
    #most = element('span', '');
    #fills = new Float64Array(1);  // by group, 0 to 1
    #blocks = 1;
    #selected = 0;
    #columns = 1;
    #width = 0;

    /** Draw in the root; tell onSelect(first block of the group) of selections. */
    constructor(root, onSelect) {
        this.#onSelect = onSelect;
        this.#map.tabIndex = 0;
        this.#map.setAttribute('role', 'slider');
        this.#map.setAttribute('aria-label', 'Blocks: arrow keys select one');
        this.#map.append(this.#canvas, this.#mark);
        this.#scale.width = SCALE_STEPS;
        this.#scale.height = 1;
        const legend = element('div', 'heat-scale', this.#least, this.#scale, this.#most, element('span', '', 'of the cells are set'));
        root.append(this.#map, legend, this.#text);

        this.#map.addEventListener('keydown', (event) => this.#key(event));
        this.#map.addEventListener('click', (event) => this.#click(event));
        new ResizeObserver(() => this.#drawIfResized()).observe(this.#map);
        matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.#draw());
    }

    /** Show the fills of groups of equally many blocks, the last one maybe fewer. */
    show(fills, blocks) {
        this.#fills = fills;
        this.#blocks = blocks;
        this.#selected = Math.min(this.#selected, fills.length - 1);
        this.#least.textContent = percent(fills.reduce((a, b) => Math.min(a, b)));
        this.#most.textContent = percent(fills.reduce((a, b) => Math.max(a, b)));
        this.#draw();
        this.#describe();
    }

    /** Select the group that a block is in, without telling anybody. */
    select(block) {
        this.#selected = Math.floor(block / this.#perGroup);
        this.#describe();
    }

    get #perGroup() {
        return Math.ceil(this.#blocks / this.#fills.length);
    }

    #key(event) {
        const steps = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: this.#columns, ArrowUp: -this.#columns,
            PageDown: 8 * this.#columns, PageUp: -8 * this.#columns, Home: -Infinity, End: Infinity };
        const step = steps[event.key];

        if (step === undefined || event.ctrlKey || event.altKey || event.metaKey)
            return;
        event.preventDefault();
        this.#choose(this.#selected + step);
    }

    #click(event) {
        const box = this.#canvas.getBoundingClientRect();
        const column = Math.floor((event.clientX - box.left) / box.width * this.#columns);
        const line = Math.floor((event.clientY - box.top) / box.height * this.#canvas.height);

        this.#choose(line * this.#columns + column);
    }

    #choose(group) {
        this.#selected = Math.max(0, Math.min(this.#fills.length - 1, group));
        this.#describe();
        this.#onSelect(this.#selected * this.#perGroup);
    }

    // Later, since drawing changes the height.
    #drawIfResized() {
        if (this.#map.clientWidth !== this.#width)
            requestAnimationFrame(() => this.#draw());
    }

    #draw() {
        const groups = this.#fills.length;
        const width = this.#map.clientWidth;

        this.#width = width;
        if (width === 0)
            return;  // not shown
        this.#columns = columnsFor(groups, width);
        this.#canvas.width = this.#columns;
        this.#canvas.height = Math.ceil(groups / this.#columns);
        this.#canvas.style.height = `${this.#canvas.height * Math.min(MAX_SQUARE, width / this.#columns)}px`;

        const colours = scaleColours();
        paint(this.#canvas, spread(this.#fills), colours);
        paint(this.#scale, Float64Array.from({ length: SCALE_STEPS }, (_, i) => i / (SCALE_STEPS - 1)), colours);
        this.#place();
    }

    #place() {
        const style = this.#mark.style;
        const lines = this.#canvas.height;

        style.left = `${this.#selected % this.#columns / this.#columns * 100}%`;
        style.top = `${Math.floor(this.#selected / this.#columns) / lines * 100}%`;
        style.width = `${100 / this.#columns}%`;
        style.height = `${100 / lines}%`;
    }

    #describe() {
        const first = this.#selected * this.#perGroup;
        const last = Math.min(first + this.#perGroup, this.#blocks) - 1;
        const text = `${first === last ? `Block ${count(first)}` : `Blocks ${count(first)} to ${count(last)}`}` +
            ` of ${counted(this.#blocks, 'block')}: ${percent(this.#fills[this.#selected])} of the cells are set.`;

        this.#place();
        this.#text.textContent = text;
        this.#map.setAttribute('aria-valuemin', 0);
        this.#map.setAttribute('aria-valuemax', this.#fills.length - 1);
        this.#map.setAttribute('aria-valuenow', this.#selected);
        this.#map.setAttribute('aria-valuetext', text);
    }
}

function columnsFor(groups, width) {
    const shaped = Math.min(Math.ceil(Math.sqrt(groups / SHAPE)), Math.floor(width / MIN_SQUARE));

    return Math.min(groups, Math.max(shaped, Math.floor(width / MAX_SQUARE)));
}

// From an empty cell's colour to a set one's and, where many are set, to the ink's.
function scaleColours() {
    const stops = ['--empty-cell', '--set-cell', '--ink'].map((variable) => readColour(colour(variable)));
    return (fill) => {
        const [from, to, part] = fill < 0.5 ? [stops[0], stops[1], fill * 2] : [stops[1], stops[2], fill * 2 - 1];
        return from.map((x, i) => x + (to[i] - x) * part);
    };
}

// The fills, the least of them as 0 and the most as 1.  Equal ones stay as they are.
function spread(fills) {
    const least = fills.reduce((a, b) => Math.min(a, b));
    const range = fills.reduce((a, b) => Math.max(a, b)) - least;

    return range === 0 ? fills : fills.map((fill) => (fill - least) / range);
}

function readColour(hex) {
    return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
}

function paint(canvas, fills, colourOf) {
    const context = canvas.getContext('2d');
    const image = context.createImageData(canvas.width, canvas.height);

    fills.forEach((fill, i) => image.data.set([...colourOf(fill), 255], 4 * i));
    context.putImageData(image, 0, 0);
}
