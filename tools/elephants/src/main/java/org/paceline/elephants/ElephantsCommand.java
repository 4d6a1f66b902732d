package org.paceline.elephants;

import java.io.IOException;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.paceline.allocator.elephant.AlphaRule;
import org.paceline.allocator.elephant.ListRule;
import org.paceline.allocator.elephant.PrefixLengths;
import org.paceline.intents.document.Quoted;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tools/paceline elephants}. */
@Command(
    name = "paceline elephants",
    mixinStandardHelpOptions = false,
    sortOptions = false,
    usageHelpAutoWidth = true,
    description = {
      "Finds alpha flows in flow records: more than H bytes within T between one source and one"
          + " destination. Makes the list of prefixes between which they recur, and says how much"
          + " of them such a list would have caught, made anew each night. Formats:"
          + " docs/operate/elephants.md.",
      ""
    },
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {"0:analysed", "1:internal error", "2:bad input or usage"})
public final class ElephantsCommand implements Callable<Integer> {
  private static final int BAD_INPUT = 2;
  private static final Pattern SIZE = Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*([kMGT]?)B?");
  private static final Pattern LENGTHS = Pattern.compile("/?(\\d{1,3})(?:,/?(\\d{1,3}))?");
  private static final String STANDARD_OUTPUT = "-";

  @Parameters(
      paramLabel = "FILE",
      arity = "0..*",
      description =
          "CSV (start,end,source,destination,bytes, or nfdump's), also packed by gzip, or nfdump's"
              + " binary files; - is standard input.")
  private List<String> files = new ArrayList<>();

  @Option(
      names = "--listen",
      paramLabel = "[ADDRESS:]PORT",
      description =
          "Take what exporters send to this UDP port, too (NetFlow 5 and 9, IPFIX), until --for is"
              + " over or Ctrl-C.")
  private Optional<String> listen = Optional.empty();

  @Option(
      names = "--from",
      paramLabel = "ADDRESS",
      split = ",",
      description =
          "The exporters; datagrams of others are counted and dropped (default: take all).")
  private List<String> exporters = new ArrayList<>();

  @Option(
      names = "--for",
      paramLabel = "S",
      description = "Listen for so many seconds (default: until Ctrl-C).")
  private Optional<BigDecimal> listenFor = Optional.empty();

  @Option(
      names = "--bytes",
      paramLabel = "H",
      description = "An alpha flow sends more than this within T, e.g. 500M (default 1G).")
  private String bytes = "1G";

  @Option(names = "--interval", paramLabel = "S", description = "T in seconds (default 60).")
  private BigDecimal interval = BigDecimal.valueOf(60);

  @Option(
      names = "--prefix",
      paramLabel = "LENGTH[,LENGTH6]",
      description =
          "What the list identifies flows by: 24 (default; /24, IPv6 /48), 32 (/32, IPv6 /128), or"
              + " any two lengths.")
  private String prefix = "24";

  @Option(
      names = "--ageing",
      paramLabel = "DAYS",
      description = "For how long a pair stays after its last alpha flow (default 30).")
  private int ageing = ListRule.DEFAULT_AGEING_DAYS;

  @Option(
      names = "--most",
      paramLabel = "N",
      description = "The list has at most so many pairs, the largest (default 1000).")
  private int most = ListRule.DEFAULT_MOST;

  @Option(
      names = "--zone",
      paramLabel = "ZONE",
      description =
          "Where days begin, and of times in CSV files that name no zone, e.g. Europe/Berlin"
              + " (default UTC).")
  private String zone = "UTC";

  @Option(
      names = "--csv",
      paramLabel = "FILE",
      description = "Write the list here as CSV; - is standard output, without the tables.")
  private Optional<String> csv = Optional.empty();

  @Option(
      names = "--pairs",
      paramLabel = "FILE",
      description =
          "Write the list here as the controller's setting elephantPairs takes it; - is standard"
              + " output, without the tables.")
  private Optional<String> pairs = Optional.empty();

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Write all results here; - is standard output, without the tables.")
  private Optional<String> json = Optional.empty();

  @Option(
      names = "--figure",
      paramLabel = "FILE",
      description =
          "Draw here, as SVG, what part of each day's alpha bytes its list matched; - is standard"
              + " output, without the tables.")
  private Optional<String> figure = Optional.empty();

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this.")
  @SuppressWarnings("unused") // picocli acts on it.
  private boolean help;

  private final PrintStream messages;

  private ElephantsCommand(PrintStream messages) {
    this.messages = messages;
  }

  @Override
  public Integer call() throws IOException {
    try {
      Analysis.Question question = question();
      if (files.isEmpty() && listen.isEmpty()) {
        throw new Refusal("there is nothing to analyse. Maybe name a file, or --listen 2055.");
      }
      if (listen.isEmpty() && (listenFor.isPresent() || !exporters.isEmpty())) {
        throw new Refusal("--from and --for say how to listen. Maybe add --listen 2055.");
      }
      Progress progress = new Progress(messages);
      Analysis analysis = new Analysis(question);
      for (String name : files) {
        progress.now("reading " + Quoted.printable(name));
        new FlowFile(name, question.zone())
            .read(
                record -> {
                  analysis.add(record);
                  progress.record();
                });
      }
      if (listen.isPresent()) {
        try (Interruption interruption = new Interruption()) {
          new Listening(listen.get(), exporters, messages)
              .run(analysis::addLive, duration(), interruption);
          return report(analysis, progress);
        }
      }
      return report(analysis, progress);
    } catch (Refusal e) {
      messages.println("paceline elephants: " + e.reason());
      return BAD_INPUT;
    }
  }

  private Optional<Duration> duration() throws Refusal {
    return listenFor.isEmpty() ? Optional.empty() : Optional.of(seconds("time", listenFor.get()));
  }

  private int report(Analysis analysis, Progress progress) throws IOException, Refusal {
    Analysis.Result result = analysis.result();
    boolean isTable = true;
    if (json.isPresent()) {
      isTable &= write(json.get(), JsonReport.of(result));
    }
    if (csv.isPresent()) {
      isTable &= write(csv.get(), CsvList.of(result.chosen().list()));
    }
    if (pairs.isPresent()) {
      isTable &= write(pairs.get(), PairsSetting.of(result.chosen().list()));
    }
    if (figure.isPresent()) {
      isTable &= write(figure.get(), DaysFigure.of(result));
    }
    if (isTable) {
      write(STANDARD_OUTPUT, TextReport.of(result));
    }
    messages.println("paceline elephants: " + conclusion(result, progress.seconds()));
    return 0;
  }

  private Analysis.Question question() throws Refusal {
    try {
      return new Analysis.Question(
          AlphaRule.of(size(bytes), seconds("interval", interval)),
          ListRule.of(lengths(prefix), ageing, most),
          ZoneId.of(zone));
    } catch (DateTimeException e) {
      throw new Refusal(
          "there is no time zone " + Quoted.of(zone) + ". Maybe UTC or Europe/Berlin.");
    } catch (IllegalArgumentException e) {
      throw new Refusal(String.valueOf(e.getMessage()));
    }
  }

  private static Duration seconds(String what, BigDecimal seconds) throws Refusal {
    if (seconds.signum() <= 0 || seconds.compareTo(BigDecimal.valueOf(86_400)) > 0) {
      throw new Refusal(
          "the " + what + " (" + seconds + " s) must lie above 0 and up to a day. Maybe 60.");
    }
    return Duration.ofMillis(seconds.movePointRight(3).longValue());
  }

  private static long size(String text) throws Refusal {
    Matcher size = SIZE.matcher(text);
    if (size.matches()) {
      int thousands = 3 * " kMGT".indexOf(size.group(2).isEmpty() ? " " : size.group(2));
      BigDecimal bytes = new BigDecimal(size.group(1)).movePointRight(thousands);
      if (bytes.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) < 0) {
        return bytes.longValue();
      }
    }
    throw new Refusal("the bytes " + Quoted.of(text) + " are no size. Maybe 1G or 500M.");
  }

  private static PrefixLengths lengths(String text) throws Refusal {
    Matcher lengths = LENGTHS.matcher(text);
    if (lengths.matches()) {
      int ipv4 = Integer.parseInt(lengths.group(1));
      if (lengths.group(2) != null) {
        return PrefixLengths.of(ipv4, Integer.parseInt(lengths.group(2)));
      }
      for (PrefixLengths known : List.of(PrefixLengths.SUBNETS, PrefixLengths.HOSTS)) {
        if (known.ipv4() == ipv4) {
          return known;
        }
      }
    }
    throw new Refusal(
        "the prefix lengths " + Quoted.of(text) + " are not known. Maybe 24, 32, or 20,44.");
  }

  /** Whether the tables may still go to standard output. */
  private static boolean write(String name, String text) throws IOException, Refusal {
    if (name.equals(STANDARD_OUTPUT)) {
      PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
      out.print(text);
      out.flush();
      return false;
    }
    try {
      Files.writeString(Path.of(name), text);
    } catch (InvalidPathException e) {
      throw new Refusal(name + " is no file name: " + e.getReason());
    } catch (IOException e) {
      throw new Refusal(name + " cannot be written: " + e);
    }
    return true;
  }

  private static String conclusion(Analysis.Result result, double seconds) {
    String found =
        String.format(
            Locale.ROOT,
            "%,d records in %.2f s: %,d alpha flows, a list of %,d pairs",
            result.records(),
            seconds,
            result.flows().size(),
            result.chosen().list().size());
    if (result.flows().isEmpty()) {
      return found;
    }
    return result.effectiveness().entrySet().stream()
        .map(
            one ->
                TextReport.percent(one.getValue().share().orElse(0))
                    + " of alpha bytes by "
                    + one.getKey())
        .collect(Collectors.joining(", ", found + "; lists of each day match ", ""));
  }

  private static int fail(Throwable e, PrintStream messages) {
    messages.println("paceline elephants: internal error: " + e);
    for (StackTraceElement frame : e.getStackTrace()) {
      messages.println("    at " + frame);
    }
    return 1;
  }

  /** Runs the command and exits with its status. */
  public static void main(String[] arguments) {
    PrintStream messages = new PrintStream(System.err, true, StandardCharsets.UTF_8);
    int status;
    try {
      CommandLine command = new CommandLine(new ElephantsCommand(messages));
      command.setExecutionExceptionHandler((e, line, parsed) -> fail(e, messages));
      status = command.execute(arguments);
    } catch (OutOfMemoryError e) {
      messages.println(
          "paceline elephants: out of memory: all records of one analysis are held, in about 100"
              + " bytes each. Maybe fewer files at once.");
      status = 1;
    }
    System.exit(status);
  }
}
