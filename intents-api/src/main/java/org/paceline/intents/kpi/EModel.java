package org.paceline.intents.kpi;

import static java.lang.Math.exp;
import static java.lang.Math.log;
import static java.lang.Math.log10;
import static java.lang.Math.pow;
import static java.lang.Math.sqrt;

/**
 * ITU-T G.107 (06/2015) with the default values of its table 2, for G.711 with concealment of
 * losses at random (G.113, appendix I): how good a call is, from its loss and its delay. The lab
 * has the same (emodel.py), with each clause.
 */
final class EModel {
  /** Loudness of sender, receiver and side tone, the noise of rooms and lines, and the echo. */
  private static final double SLR = 8;

  private static final double RLR = 2;
  private static final double OLR = SLR + RLR;
  private static final double STMR = 15;
  private static final double DS = 3;
  private static final double DR = 3;
  private static final double PS = 35;
  private static final double PR = 35;
  private static final double NC = -70;
  private static final double NFOR = -64;
  private static final double TELR = 65;
  private static final double WEPL = 110;

  /** Bpl of G.711; its Ie is 0. */
  private static final double ROBUSTNESS = 25.1;

  private static final double NOISE = noise();
  private static final double RO = 15 - 1.5 * (SLR + NOISE);

  /** The score of a call that loses nothing and takes no time. */
  static final double BEST = opinion(rating(0, 0));

  private EModel() {}

  /** The mean opinion score of annex B, from 1 to 4.5. */
  static double score(double loss, double millis) {
    return opinion(rating(loss, millis));
  }

  /** R, clause 7.1. */
  private static double rating(double loss, double millis) {
    double percent = 100 * loss;
    double lost = 95 * percent / (percent + ROBUSTNESS);
    return RO - simultaneous(millis) - delayed(millis) - lost;
  }

  /** It falls a little below 1 between, and is held there. */
  private static double opinion(double r) {
    if (r <= 0) {
      return 1;
    }
    return r >= 100 ? 4.5 : Math.max(1, 1 + 0.035 * r + r * (r - 60) * (100 - r) * 7e-6);
  }

  /** No, clause 7.2. */
  private static double noise() {
    double ofSender = PS - SLR - DS - 100 + 0.004 * pow(PS - OLR - DS - 14, 2);
    double heard = PR + 10 * log10(1 + pow(10, (10 - (STMR + DR)) / 10));
    double ofReceiver = RLR - 121 + heard + 0.008 * pow(heard - 35, 2);
    return 10 * log10(power(NC) + power(ofSender) + power(ofReceiver) + power(NFOR + RLR));
  }

  private static double power(double decibels) {
    return pow(10, decibels / 10);
  }

  /** Is, clause 7.3: a voice too loud, a side tone too loud or too low, and quantising. */
  private static double simultaneous(double millis) {
    double x = OLR + 0.2 * (64 + NOISE - RLR);
    double tooLoud = 20 * (joined(x / 8, 8) - x / 8);
    double tone = -10 * log10(power(-STMR) + exp(-millis / 4) * power(-TELR));
    double sideTone =
        12 * joined((tone - 13) / 6, 8)
            - 28 * joined((tone + 1) / 19.4, 35)
            - 13 * joined((tone - 3) / 33, 13)
            + 29;
    double q = 37;
    double g = 1.07 + 0.258 * q + 0.0602 * q * q;
    double y = (RO - 100) / 15 + 46 / 8.4 - g / 9;
    double z = 46 / 30.0 - g / 40;
    return tooLoud + sideTone + 15 * log10(1 + pow(10, y) + pow(10, z));
  }

  /** Id, clause 7.4: both echoes, and the delay itself, which nobody minds below 100 ms. */
  private static double delayed(double t) {
    double terv = TELR - 40 * log10((1 + t / 10) / (1 + t / 150)) + 6 * exp(-0.3 * t * t);
    double roe = -1.5 * (NOISE - RLR);
    double re = 80 + 2.5 * (terv - 14);
    double talker = ((roe - re) / 2 + sqrt(pow(roe - re, 2) / 4 + 100) - 1) * (1 - exp(-t));
    double rle = 10.5 * (WEPL + 7) * pow(2 * t + 1, -0.25);
    double echoes = talker + (RO - rle) / 2 + sqrt(pow(RO - rle, 2) / 4 + 169);
    if (t <= 100) {
      return echoes;
    }
    double x = log(t / 100) / log(2);
    return echoes + 25 * (joined(x, 6) - 3 * joined(x / 3, 6) + 2);
  }

  private static double joined(double value, double sharpness) {
    return pow(1 + pow(value, sharpness), 1 / sharpness);
  }
}
