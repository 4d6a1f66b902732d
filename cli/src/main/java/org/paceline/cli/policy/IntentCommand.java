package org.paceline.cli.policy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.support.completers.StringsCompleter;
import org.paceline.cli.PacelineCommand;
import org.paceline.cli.table.Table;
import org.paceline.control.api.IntentDesk;
import org.paceline.control.api.PolicyService;
import org.paceline.control.api.UseCases;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.IntentTree;

/**
 * What commands share that give an intent another policy: an option for each of its fields. They
 * make a JSON merge patch of them, which is read and refused as over REST.
 */
abstract class IntentCommand extends PacelineCommand<PolicyService> {
  private static final String INHERIT = "inherit";

  /** Of what is not a number, however it looks. */
  private static final Set<String> NAMES =
      Set.of("utilityFunction", "uploadUtilityFunction", "scheme", "kpiModel");

  private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9]\\d*)(\\.\\d+)?");

  @Option(name = "--least", description = "Its least rate in kbit/s, or inherit, as all of these")
  String least = "";

  @Option(name = "--greatest", description = "Its greatest rate in kbit/s")
  String greatest = "";

  @Option(name = "--priority", description = "Its priority; a greater one is served first")
  String priority = "";

  @Option(
      name = "--function",
      description = "The name of its utility function: of one in the tree or the catalogue")
  String function = "";

  @Option(
      name = "--upload-function",
      description = "The one of what clients send, if --function is not for both directions")
  String uploadFunction = "";

  @Option(
      name = "--scheme",
      description =
          "Who rules its conversations: utility-fair, fixed-rate at the greatest rate,"
              + " service-classes, adaptive-reservations of the least rate, or elephant-isolation")
  String scheme = "";

  @Option(
      name = "--class-weight",
      description = "The weight of the service class that it and all below it are, from 1 to 1000")
  String classWeight = "";

  @Option(
      name = "--kpi-model",
      description =
          "By which its KPIs become experienced utility: web, download, video, ssh, voice, g711,"
              + " conference, backup, update, frames")
  @Completion(
      value = StringsCompleter.class,
      values = {
        "web",
        "download",
        "video",
        "ssh",
        "voice",
        "g711",
        "conference",
        "backup",
        "update",
        "frames"
      })
  String kpiModel = "";

  @Option(name = "--parents", description = "Also make the nodes above it that are missing")
  boolean parents;

  @Option(name = "--draft", description = "The draft of this name instead of the policy in force")
  @Completion(DraftCompleter.class)
  String draft = "";

  IntentCommand() {
    super(UseCases::policy);
  }

  /** What is given of the policy's fields, by the names that REST has for them. */
  private Map<String, String> given() {
    Map<String, String> given = new LinkedHashMap<>();
    given.put("minimumRateKbps", least);
    given.put("maximumRateKbps", greatest);
    given.put("priority", priority);
    given.put("utilityFunction", function);
    given.put("uploadUtilityFunction", uploadFunction);
    given.put("scheme", scheme);
    given.put("classWeight", classWeight);
    given.put("kpiModel", kpiModel);
    given.values().removeIf(String::isEmpty);
    return given;
  }

  /** As a JSON merge patch. */
  final String patch() {
    List<String> members = new ArrayList<>();
    given()
        .forEach((member, text) -> members.add(Table.quoted(member) + ":" + value(member, text)));
    return "{" + String.join(",", members) + "}";
  }

  private static String value(String member, String text) {
    if (text.equals(INHERIT)) {
      return "null";
    }
    return !NAMES.contains(member) && NUMBER.matcher(text).matches() ? text : Table.quoted(text);
  }

  /** The options as they were given, for the log of changes. */
  final String options() {
    return option("--least", least)
        + option("--greatest", greatest)
        + option("--priority", priority)
        + option("--function", function)
        + option("--upload-function", uploadFunction)
        + option("--scheme", scheme)
        + option("--class-weight", classWeight)
        + option("--kpi-model", kpiModel)
        + (parents ? " --parents" : "")
        + option("--draft", draft);
  }

  private static String option(String name, String value) {
    return value.isEmpty() ? "" : " " + name + " " + value;
  }

  final IntentDesk.Parents parents() {
    return parents ? IntentDesk.Parents.ARE_MADE : IntentDesk.Parents.MUST_BE_THERE;
  }

  /** This tree with what is given of the intent. */
  final IntentTree changed(PolicyService use, IntentTree now, IntentPath node) {
    mustChange(now, node);
    return use.intentDesk().changed(now, node, use.intentDesk().patch(node, patch()), parents());
  }

  /**
   * @throws IllegalArgumentException if nothing is given, and the intent is there already
   */
  final void mustChange(IntentTree now, IntentPath node) {
    if (given().isEmpty() && now.contains(node)) {
      throw new IllegalArgumentException(
          "Nothing is given to set of ("
              + node
              + "). Maybe one of --least, --greatest, --priority, --function,"
              + " --upload-function, --scheme, --class-weight and --kpi-model.");
    }
  }
}
