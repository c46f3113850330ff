"""A real Spark, and captures to read."""

import os
import shutil
import sys
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

# Workers need the Python of the driver, and nothing here leaves this machine.
os.environ["PYSPARK_PYTHON"] = sys.executable
os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"

SAMPLES = Path(__file__).parents[2] / "samples"


def session(master: str, **settings: str) -> SparkSession:
    from tcpwhy.spark import TcpwhyDataSource

    builder = SparkSession.builder.master(master).config("spark.ui.enabled", "false")
    builder = builder.config("spark.driver.bindAddress", "127.0.0.1").config("spark.driver.host", "127.0.0.1")
    for key, value in settings.items():
        builder = builder.config(key.replace("__", "."), value)
    spark = builder.getOrCreate()
    spark.dataSource.register(TcpwhyDataSource)
    return spark


@pytest.fixture(scope="session")
def spark():
    spark = session("local[2]", spark__sql__session__timeZone="UTC")
    yield spark
    spark.stop()


@pytest.fixture
def captures(tmp_path: Path) -> Path:
    """The samples, and what cannot be read."""
    folder = tmp_path / "captures"
    (folder / "below").mkdir(parents=True)
    for sample in sorted(SAMPLES.glob("*.pcap.gz"))[:8]:
        shutil.copy(sample, folder)
    shutil.copy(SAMPLES / "loss.pcap.gz", folder / "below/loss-again.pcap.gz")
    (folder / "empty.pcap").write_bytes(b"")
    (folder / "cut.pcap.gz").write_bytes((SAMPLES / "loss.pcap.gz").read_bytes()[:2000])
    (folder / "words.pcap").write_text("not a capture\n")
    (folder / "_SUCCESS").write_bytes(b"")
    return folder
