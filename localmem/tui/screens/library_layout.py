"""Where the parts of the library screen stand; knows nothing of what they do."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.content import Content

from localmem.tui.present import places
from localmem.tui.present.places import Spot
from localmem.tui.present.rows import Row
from localmem.tui.screens.base import Screenful
from localmem.tui.widgets.banner import Banner
from localmem.tui.widgets.chrome import Footer, TooSmall
from localmem.tui.widgets.header import Header
from localmem.tui.widgets.item_page import ItemPage
from localmem.tui.widgets.panes import Panes
from localmem.tui.widgets.rows import Rows
from localmem.tui.widgets.search_box import SearchBox


class LibraryLayout(Screenful[None]):
    """Header, tree, list, preview and footer."""

    DEFAULT_CSS = """
    #panes { height: 1fr; }
    #tree, #list, #preview {
        height: 100%;
        border: round $border-blurred;
        border-title-color: $text-muted;
        &:focus {
            border: heavy $border;
            border-title-color: $text;
            border-title-style: bold;
        }
    }
    #tree { width: 27; }
    #list { width: 3fr; }
    #preview { width: 2fr; padding: 0 1; }
    """

    def compose(self) -> ComposeResult:
        yield Header(demo=self.desk.demo)
        yield Banner(self.desk, id="past")
        yield Panes(
            Rows[Spot](places.spot_row, id="tree"),
            Rows[Row](self.draw_row, id="list"),
            ItemPage(self.desk, id="preview"),
            id="panes",
        )
        yield Footer()
        yield TooSmall()

    def draw_row(self, row: Row, width: int) -> Content:
        """How a row of the list looks."""
        raise NotImplementedError

    @property
    def banner(self) -> Banner:
        return self.query_one(Banner)

    @property
    def tree_pane(self) -> Rows[Spot]:
        return self.query_one("#tree", Rows)

    @property
    def list_pane(self) -> Rows[Row]:
        return self.query_one("#list", Rows)

    @property
    def page(self) -> ItemPage:
        return self.query_one(ItemPage)

    @property
    def panes(self) -> Panes:
        return self.query_one(Panes)

    @property
    def header(self) -> Header:
        return self.query_one(Header)

    @property
    def box(self) -> SearchBox:
        return self.header.box
