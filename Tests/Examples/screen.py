"""What can be seen on a screen: texts, by reading them, and colors, by where they are."""

import io
import subprocess

from PIL import Image


def read(image, language):
    """The words in an image, in no order that means anything."""
    data = io.BytesIO()
    image.save(data, "png")
    return subprocess.run(
        ["tesseract", "stdin", "stdout", "-l", language, "--psm", "11"], input=data.getvalue(), capture_output=True,
        check=True).stdout.decode()


class Picture:
    """A screenshot."""

    def __init__(self, stage):
        shot = subprocess.run(
            ["import", "-window", "root", "png:-"], env=stage.environment, capture_output=True, check=True).stdout
        self.image = Image.open(io.BytesIO(shot)).convert("RGB")

    def texts(self, box=None, language="eng"):
        """The words in a part of the picture, as tesseract reads them: dark on light, and light on dark made dark on light."""
        image = (self.image.crop(box) if box else self.image).convert("L")
        image = image.resize((image.width * 3, image.height * 3), Image.LANCZOS)
        light_on_dark = image.point(lambda value: 0 if value > 185 else 255)
        return read(image, language) + read(light_on_dark, language)

    def has(self, text, language="eng", box=None):
        """Whether a text can be read, whatever lies between its letters."""
        squeezed = "".join(self.texts(box, language).split())
        return "".join(text.split()) in squeezed

    def blobs(self, color, box=None, tolerance=12, minimum=12):
        """The centers of the connected areas of a color, from left to right."""
        image = self.image.crop(box) if box else self.image
        left, top = (box[0], box[1]) if box else (0, 0)
        pixels = image.load()
        wanted = {
            (x, y) for x in range(image.width) for y in range(image.height)
            if all(abs(have - want) <= tolerance for have, want in zip(pixels[x, y], color))}
        centers = []
        while wanted:
            area, edge = [], [wanted.pop()]
            while edge:
                x, y = edge.pop()
                area.append((x, y))
                for near in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                    if near in wanted:
                        wanted.remove(near)
                        edge.append(near)
            if len(area) >= minimum:
                centers.append((sum(x for x, _ in area) / len(area) + left, sum(y for _, y in area) / len(area) + top))
        return sorted(centers)

    def count(self, color, box=None, tolerance=12):
        """How many pixels have a color."""
        image = self.image.crop(box) if box else self.image
        return sum(
            all(abs(have - want) <= tolerance for have, want in zip(pixel, color)) for pixel in image.getdata())

    def save(self, path, box=None):
        """Keeps it, with few colors, as a small file."""
        image = self.image.crop(box) if box else self.image
        image.quantize(128).save(path, optimize=True)
