# SPDX-License-Identifier: GPL-2.0-only
"""Preprocessing of a recommendation model's features with numpy, as PreprocessingService does it.

    from preprocessing import Pipeline
    prepared = Pipeline(sparse=["modulus"], modulus=1024).run(rows)   # 32-bit integers, flat
    Pipeline(dense=["neg2zero"]).get_settings()                       # for --set and "attributes"
"""

from dataclasses import dataclass

import numpy as np

from rocelab.errors import UserError, describe_nearest

SERVICE = "ns3::rdma::PreprocessingService"
NAN = np.uint32(0x7FC00000)


def neg2zero(features, _):
    """Clip what is negative."""
    return np.maximum(features, 0)


def logarithm(features, _):
    """Take log(1 + x); the bits of 32-bit floats."""
    with np.errstate(divide="ignore", invalid="ignore"):
        values = np.log1p(features.astype(np.float64)).astype(np.float32)
    bits = values.view(np.uint32)
    return np.where(np.isnan(values), NAN, bits).view(np.int32)


def modulus(features, divisor):
    """Take the remainder, which is not negative."""
    return (features.astype(np.int64) % divisor).astype(np.uint32).view(np.int32)


OPERATORS = {"neg2zero": neg2zero, "logarithm": logarithm, "modulus": modulus}


@dataclass
class Pipeline:
    """Operators by kind of feature, and the layout of a row: dense features first."""

    dense: tuple = ("neg2zero", "logarithm")
    sparse: tuple = ("modulus",)
    dense_columns: int = 16
    sparse_columns: int = 32
    modulus: int = 8192

    def __post_init__(self):
        for names in (self.dense, self.sparse):
            for name in names:
                if name not in OPERATORS:
                    nearest = describe_nearest(name, OPERATORS)
                    raise UserError(f"expected an operator ({nearest}), got {name}")
            if "logarithm" in names[:-1]:
                raise UserError(f"expected a logarithm last, got {', '.join(names)}")
        if self.dense_columns + self.sparse_columns < 1:
            raise UserError("expected a row with columns, got none")

    def run(self, features):
        """Return what becomes of whole features: 32 bits each, which a logarithm makes floats of."""
        features = np.ascontiguousarray(features, dtype=np.int32).ravel()
        columns = np.arange(len(features)) % (self.dense_columns + self.sparse_columns)
        out = np.empty_like(features)
        for names, which in (
            (self.dense, columns < self.dense_columns),
            (self.sparse, columns >= self.dense_columns),
        ):
            values = features[which]
            for name in names:
                values = OPERATORS[name](values, self.modulus)
            out[which] = values
        return out

    def get_settings(self):
        """Return {attribute: text} that makes the service the same."""
        return {
            f"{SERVICE}::DenseOperators": ",".join(self.dense),
            f"{SERVICE}::SparseOperators": ",".join(self.sparse),
            f"{SERVICE}::DenseColumns": str(self.dense_columns),
            f"{SERVICE}::SparseColumns": str(self.sparse_columns),
            f"{SERVICE}::Modulus": str(self.modulus),
        }
